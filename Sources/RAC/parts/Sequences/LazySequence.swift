import CRACShims

/// Where the values of a lazy sequence come from, one at a time.
///
/// Used by one thread at a time, which may be another one each time.
class Cursor: Object {
  /// The next value. Not asked again after an end or an error.
  func next() -> ReadResult { .end }

  /// At an end: the sequence goes on with this one.
  var successor: ValueSequence? { nil }
}

/// A sequence whose first value is pulled out of a cursor when it is asked for.
///
/// ```
/// value --> value --> not evaluated yet: has the cursor
/// ```
/// Evaluating a sequence gives it a value and, as its rest, the next sequence, to which the cursor
/// moves on. That is how everything is computed once, and how what nobody holds any more goes.
class LazySequence: ValueSequence {
  private final let once = Once()
  private final var cursor: Cursor?
  private final var cell = Cell()

  init(_ cursor: Cursor?, depth: Int32) {
    self.cursor = cursor
    super.init(depth: depth)
  }

  deinit {
    cell.value.release()
    // It holds what this one is made from, whose cursor holds what that is made from.
    if let cursor, Stack.isTooShort(toTakeApart: depth) { Stack.outlive(cursor) }
  }

  /// Made when it is needed, by sequences that are not given one.
  func makeCursor() -> Cursor { Cursor() }

  override func head() -> ReadResult {
    switch settled() {
    case .here(let sequence): return sequence.cell.head
    case .elsewhere(let sequence): return sequence.head()
    case .refused(let status): return .refused(status)
    }
  }

  override func tail() -> TailResult {
    switch settled() {
    case .here(let sequence): return sequence.cell.tail(sequence.rest)
    case .elsewhere(let sequence): return sequence.tail()
    case .refused(let status): return .refused(status)
    }
  }

  /// Where the result is, after sequences that only go on with another one.
  private enum Settled {
    case here(LazySequence)
    case elsewhere(ValueSequence)
    case refused(rac_status)
  }

  @inline(never)
  private final func settled() -> Settled {
    var at = self
    while true {
      if let status = at.evaluate() { return .refused(status) }
      guard at.cell.state == .same, let next = at.rest else { return .here(at) }
      guard let lazy = next as? LazySequence else { return .elsewhere(next) }
      at = lazy
    }
  }

  /// nil: the result is there. Otherwise why it cannot be computed now.
  private final func evaluate() -> rac_status? {
    switch once.begin() {
    case .done: return nil
    case .refused: return Status.deadlock
    case .late: return Status.timedOut
    case .mine: return compute()
    }
  }

  private final func compute() -> rac_status? {
    let thread = currentThread()
    if thread.pointee.subscribing >= Thread.shallow,
      thread.pointee.subscribing >= Thread.deepest || !Stack.hasRoom()
    {
      once.abandon()
      return Status.range
    }
    thread.pointee.subscribing = thread.pointee.subscribing &+ 1
    let cursor = self.cursor ?? makeCursor()
    let pulled = cursor.next()
    thread.pointee.subscribing = thread.pointee.subscribing &- 1
    switch pulled {
    case .value(let first):
      cell = Cell(.value, first)
      rest = LazySequence(cursor, depth: depth)
    case .end:
      rest = cursor.successor
      cell = Cell(rest == nil ? .end : .same)
    case .failed(let error): cell = Cell(.failed, error)
    case .refused(let status):
      self.cursor = cursor
      once.abandon()
      return status
    }
    self.cursor = nil
    once.finish()
    // The cursor may go with this return, and contexts of the user's with it.
    return nil
  }

  override func visit(_ visitor: inout Visitor) {
    // Its handle may be used by another thread, from now on too.
    guard visitor.enter(once) else { return }
    super.visit(&visitor)
    visitor.reference(cursor)
    visitor.value(cell.value)
  }
}
