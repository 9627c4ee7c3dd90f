/// A sink that lets numbers through side by side, when they come together. It keeps
/// some of them and calls nobody, so that nothing happens between one and the next.
class BulkFilter: Sink {
  /// The sink that hears what goes on. Owned: the subclass lets go of it.
  final let below: Unmanaged<Sink>

  init(_ below: Sink, height: Int32) {
    self.below = .passRetained(below)
    super.init(scope: below.scope, height: height)
  }

  override final var recordedBelow: RecordedBelow {
    below._withUnsafeGuaranteedRef { $0.recordedBelow }
  }

  override final func holds(_ question: Question) -> Bool {
    below._withUnsafeGuaranteedRef { $0.holds(question) }
  }

  /// Moves the numbers that go on, at most `room`, to `target`, and drops all those that it has
  /// looked at. How many go on. It looks at none where each has to come by itself.
  func sift(_ numbers: inout Numbers, to target: UnsafeMutableRawPointer, room: Int) -> Int { 0 }
}

/// Numbers side by side, lent.
struct Numbers {
  private(set) var first: UnsafeRawPointer
  private(set) var count: Int
  let form: Batch.Form

  init(_ first: UnsafeRawPointer, _ count: Int, _ form: Batch.Form) {
    self.first = first
    self.count = count
    self.form = form
  }

  mutating func drop(_ many: Int) {
    first += many &* 8
    count &-= many
  }

  /// The first of them, as a value.
  var value: Value {
    form == .int64s
      ? .int64(first.assumingMemoryBound(to: Int64.self).pointee)
      : .double(first.assumingMemoryBound(to: Double.self).pointee)
  }

  /// Moves the first ones, at most `room`, to memory that may be where they are, and drops them;
  /// how many.
  mutating func move(to target: UnsafeMutableRawPointer, room: Int) -> Int {
    let many = min(room, count)
    if UnsafeRawPointer(target) != first { target.copyMemory(from: first, byteCount: many &* 8) }
    drop(many)
    return many
  }

  /// Moves those that differ from the one before, behind the first in `target`, so long as there is
  /// room for them, and drops what it has looked at. How many are there with the first.
  mutating func moveChanges(to target: UnsafeMutableRawPointer, room: Int) -> Int {
    form == .int64s
      ? moveChanges(Int64.self, to: target, room: room) { $0 == $1 }
      : moveChanges(Double.self, to: target, room: room) {
        $0 == $1 || ($0 != $0 && $1 != $1)
      }
  }

  @inline(__always)
  private mutating func moveChanges<Number>(
    _: Number.Type, to target: UnsafeMutableRawPointer, room: Int,
    areEqual: (Number, Number) -> Bool
  ) -> Int {
    let source = first.assumingMemoryBound(to: Number.self)
    let target = target.assumingMemoryBound(to: Number.self)
    var latest = target[0]
    var kept = 1
    var index = 0
    while index < count && kept < room {
      let number = source[index]
      index &+= 1
      // Written in any case: whether one differs cannot be foreseen, and a jump would be.
      target[kept] = number
      kept &+= areEqual(number, latest) ? 0 : 1
      latest = number
    }
    drop(index)
    return kept
  }
}
