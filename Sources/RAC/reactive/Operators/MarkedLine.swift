/// Values that wait at an operator for an event of somebody else's. Where any number may wait it is
/// a place with a mark, which holds the sources above that can wait until half is left.
///
/// Changed inside the operator's gate, and asked from outside.
struct MarkedLine: ~Copyable {
  private var line = ValueLine()
  private let brake: Brake
  /// Negative: it never holds.
  private let mark: Int

  init(_ place: Holder.Place, holds: Bool = true) {
    brake = Brake(place)
    mark = holds && Mark.isOn ? Mark.values : -1
  }

  var count: Int { line.count }

  /// Takes the value over.
  @inline(__always)
  mutating func append(_ value: Value) {
    line.append(value)
    if count == mark { brake.putOn(count) }
  }

  /// The first one, for the caller to release; nil when there is none.
  @inline(__always)
  mutating func popFirst() -> Value? {
    let first = line.popFirst()
    brake.tell(count, ofHalf: mark >> 1).resume()
    return first
  }

  /// See `Sink.holds`.
  func holds(_ question: Question) -> Bool { mark >= 0 && brake.holds(question) }

  func visit(_ visitor: inout Visitor) { line.visit(&visitor) }
}
