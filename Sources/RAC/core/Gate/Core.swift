/// The way of an operation that finds the gate taken.
enum Diversion {
  /// It goes into the gate's queue.
  case inQueue
  /// The core has it in a line of its own, and that line's lock is held: `fire` in the gate's queue
  /// stands for it, and is there before anybody else sees the line. Then `hasPosted` is called.
  case inLine
  /// The same, but in the place of another one, which is gone; or it is gone itself.
  case inPlace
}

/// Something that events pass through one at a time: the inside of a subject, of a cold signal's
/// subscriber, of an operator with several inputs.
///
/// A subclass writes `apply` as if it were alone in the world: the gate sees to it that it is.
class Core: Object {
  final let gate = Gate()
  /// Operations taken from the queue that a thread left to the next; see Gate. Owned by the thread
  /// inside.
  @exclusivity(unchecked) final var parked: UInt = 0

  @inline(__always)
  override init() { super.init() }

  deinit { gate.free() }

  /// One operation, inside the gate. `object` is what it concerns besides, such as the sink that
  /// joins: of a class that the sender and this core agree on. `value` is lent.
  func apply(_ operation: Operation, _ object: Object?, _ value: Value) {}

  /// Inside the gate, where a walk is: see `Sink`.
  func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool { false }

  /// Asked before an operation is queued, on any thread, without a lock. See BoundedLine.
  func divert(_ operation: Operation, _ object: Object?, _ value: Value) -> Diversion { .inQueue }
  func hasPosted() {}
  /// An operation from the queue was applied, or left out because the library is closed.
  func hasApplied(_ operation: Operation) {}

  /// Whether `divert` ever says anything else.
  var isBounded: Bool { false }

  /// How many levels an event passes below, at most. Any thread.
  var reach: Int32 { 0 }

  /// Whether this thread's stack is too short for that.
  final var isCramped: Bool { reach > Stack.few && !Stack.hasRoom(levels: reach) }

  /// Between two operations that may go on for ever, inside the gate.
  @inline(never)
  final func askWhetherToStop() {
    guard let error = InterruptionHook.error else { return }
    stop(error)
    error.release()
  }

  /// Ends with that error, so that nothing more is done.
  func stop(_ error: Value) {}

  /// Subscribing to further signals, which must happen outside the gate. See `DynamicCore`.
  func afterLeaving() {}

  /// Applies the operation now, or queues it behind those that are being applied.
  @inline(__always)
  @discardableResult
  final func submit(_ operation: Operation, _ object: Object? = nil, _ value: Value = .null)
    -> rac_status
  {
    var queued = false
    if let hold = gate.enter() {
      apply(operation, object, value)
      _ = hold.leave(self)
    } else {
      queued = gate.post(self, operation, object, value)
    }
    afterLeaving()
    return queued ? Status.queued : Status.ok
  }

  /// The same for what comes from outside, or happens so seldom that the code had better be short:
  /// not where there is no stack for it.
  @discardableResult
  final func submitRarely(_ operation: Operation, _ object: Object? = nil, _ value: Value = .null)
    -> rac_status
  {
    var status = Status.ok
    if let hold = gate.enter() {
      // Inside, where nobody joins meanwhile. An operation posted here is parked when this thread
      // leaves.
      if isCramped {
        _ = gate.post(self, operation, object, value)
      } else {
        apply(operation, object, value)
      }
      status = hold.leave(self)
    } else if gate.post(self, operation, object, value) {
      status = Status.queued
    }
    afterLeaving()
    return status
  }

  /// The object that was added wants nothing any more. Any thread.
  func detach(_ object: Object) { submit(.remove, object) }
}
