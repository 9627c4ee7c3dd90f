/// The numbers from 0 up to a count, for a loop without the trap of a Range, which has to refuse a
/// count below 0.
struct Places: Sequence, IteratorProtocol {
  private var at = 0
  private let end: Int

  @inline(__always)
  init(_ count: Int) { end = count }

  @inline(__always)
  mutating func next() -> Int? {
    if at >= end { return nil }
    at &+= 1
    return at &- 1
  }
}
