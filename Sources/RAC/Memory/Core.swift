/// Something that events pass through one at a time: the inside of a subject, of a cold signal's
/// subscriber, of an operator with several inputs.
///
/// A subclass writes `apply` as if it were alone in the world: the gate sees to it that it is.
class Core: Object {
  final let gate = Gate()
  /// Operations taken from the queue that a thread left to the next; see Gate. Owned by who is inside.
  final var parked: UInt = 0

  deinit { gate.free() }

  /// One operation, inside the gate. `value` is lent.
  func apply(_ operation: Operation, _ sink: Sink?, _ value: Value) {}

  /// Subscribing to further signals, which must happen outside the gate. See `DynamicCore`.
  func afterLeaving() {}

  /// Applies the operation now, or queues it behind those that are being applied.
  @inline(__always)
  @discardableResult
  final func submit(_ operation: Operation, _ sink: Sink? = nil, _ value: Value = .null)
    -> rac_status
  {
    var queued = false
    if let hold = gate.enter() {
      apply(operation, sink, value)
      hold.leave(self)
    } else {
      queued = gate.post(self, operation, sink, value)
    }
    afterLeaving()
    return queued ? Status.queued : Status.ok
  }

  /// The same for what happens seldom, where the code had better be short.
  @inline(never)
  @discardableResult
  final func submitRarely(_ operation: Operation, _ sink: Sink? = nil, _ value: Value = .null)
    -> rac_status
  {
    submit(operation, sink, value)
  }

  /// The sink's subscription is over: it wants nothing any more. Any thread.
  func detach(_ sink: Sink) { submit(.remove, sink) }
}
