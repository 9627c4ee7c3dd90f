/// A place in a bounded line, for an operation that waits elsewhere: a modification in the queue of
/// its property, or in a batch.
final class BoundedPlace: Object {
  private let line: BoundedLine
  private var isTaken = true

  /// nil: there is none. `isForced`: one is made.
  init?(in line: BoundedLine, isForced: Bool = false) {
    guard line.reserve(isForced: isForced) else { return nil }
    self.line = line
  }

  /// The operation waits no longer, and is under way until this goes.
  func leave() {
    if isTaken { line.giveBack() }
    isTaken = false
  }

  deinit {
    leave()
    line.arrive(1)
  }
}
