import CRACShims

/// An operator of your own: a callback that is called for each event and sends none, one or many
/// values.
///
///     source         --1--2--3------|
///     odd ones twice --(11)--(33)---|
///
/// Each subscription has a state, `state_size` bytes that are zero at first: `step->state`.
/// `step->event` says which event has come. The callback sends values with rac_step_send(), and a
/// last one by writing it to `*out`. Then it returns RAC_OK to go on, RAC_STEP_COMPLETE to
/// complete, or a negative number to fail. An end goes on by itself, after the values;
/// RAC_STEP_COMPLETE or a failure replaces it. docs/YourOwnOperator.md writes three operators so.
///
/// Events of a subscription do not overlap, so the state needs no lock.
///
/// - Parameter source: borrowed.
/// - Parameter state_size: in bytes, up to 2^28; 0: `step->state` is NULL.
/// - Parameter context: passed to the callbacks; all subscriptions share it.
/// - Parameter step: called for each event. RAC_QUEUED and its like, from a function that it
///   called, count as RAC_OK; a number above RAC_STEP_COMPLETE is an error, of domain "rac" and
///   code RAC_EINVAL.
/// - Parameter clear: called once for each subscription, when nothing can call `step` with that
///   state any more, to free what the state holds; may be NULL.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: lift, operate; transform of Kotlin and Node. Since: 0.1
@c public func rac_signal_step(
  _ source: CSignal?, _ state_size: CSize, _ context: CContext?, _ step: rac_step_fn?,
  _ clear: rac_clear_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, step, destroy) { source, context, step in
    StepBlock.size(state_size).map { source.step($0, context, step, clear) }
  }
}

/// Sends a value from inside the callback of rac_signal_step(), at once.
///
/// Only that callback may call this, before it returns and on its thread. RAC_EDONE says that the
/// stream has ended meanwhile or was disposed.
///
/// - Parameter step: the one that the callback was given.
/// - Parameter value: borrowed.
/// - Returns: RAC_OK; RAC_EDONE; RAC_ENULL; RAC_ESTALE when `step` is not that of the callback that
///   is running; RAC_EKIND, RAC_EINVAL, RAC_EUTF8 or RAC_ENOMEM for a value that is not sound.
///   Since: 0.1
@discardableResult
@c public func rac_step_send(_ step: COut<rac_step>?, _ value: rac_value) -> rac_status {
  let thread = currentThread()
  guard let running = thread.pointee.step else { return StepSink.refuse(step) }
  return Unmanaged<StepSink>.fromOpaque(running)._withUnsafeGuaranteedRef {
    $0.send(value, by: step, thread)
  }
}

extension Signal {
  /// The size is that of a StepBlock.
  func step(
    _ size: Int, _ context: Context, _ step: @escaping rac_step_fn, _ clear: rac_clear_fn?
  ) -> Signal {
    lift("step:", holding: context) { downstream in
      guard let block = StepBlock.make(size) else {
        downstream.failWithoutMemory()
        return nil
      }
      return StepSink(context, step, clear, block, downstream)
    }
  }
}

/// The block that a callback is lent, and behind it the state.
enum StepBlock {
  /// Behind it a state may begin with a value of any type.
  private static var head: Int { 32 }

  static func size(_ state: CSize, _ function: StaticString = #function) -> Int? {
    if Border.count(state) <= 1 << 28 { return head &+ state }
    return Border.fail(Status.invalid, "state_size is more than 2^28", in: function)
  }

  static func make(_ size: Int) -> UnsafeMutablePointer<rac_step>? {
    guard let memory = rac_shim_allocate_zeroed(size) else { return nil }
    let block = memory.assumingMemoryBound(to: rac_step.self)
    block.pointee.size = MemoryLayout<rac_step>.size
    block.pointee.state = size > head ? memory + head : nil
    block.pointee.event = RAC_EVENT_NEXT
    return block
  }
}

final class StepSink: CallbackStage {
  fileprivate let block: UnsafeMutablePointer<rac_step>
  private let step: rac_step_fn
  private let clear: rac_clear_fn?
  private var phase = Phase.open

  private enum Phase {
    case open
    /// An error that comes now is our own.
    case closing
    case closed
  }

  /// In `*out` before the callback writes there; no value is of that kind.
  private static var unwritten: Value { Value(.max, bits: 0) }

  init(
    _ context: Context, _ step: @escaping rac_step_fn, _ clear: rac_clear_fn?,
    _ block: UnsafeMutablePointer<rac_step>, _ downstream: Sink
  ) {
    self.block = block
    self.step = step
    self.clear = clear
    super.init(context, downstream)
  }

  deinit {
    if let clear { currentThread().asAwaited { clear(pointer, block.pointee.state) } }
    rac_shim_free(block)
  }

  override func next(_ value: Value) {
    guard phase == .open, scope.isActive else { return }
    var out = StepSink.unwritten
    let status = call(value, &out)
    if Callback.hasFailed(status) || status != Status.ok { return settle(status, out) }
    if out.kind == StepSink.unwritten.kind { return }
    if out.kind > Value.Kind.double { return settle(status, out) }
    out.makeScalar()
    downstream.next(out)
  }

  override func error(_ error: Value) {
    if phase == .open { end(RAC_EVENT_ERROR, error) }
    if phase == .closed { return }
    phase = .closed
    downstream.error(error)
  }

  override func completed() {
    if phase == .open { end(RAC_EVENT_COMPLETED, .null) }
    if phase == .closed { return }
    phase = .closed
    downstream.completed()
  }

  @inline(__always)
  private func call(_ value: Value, _ out: inout Value) -> rac_status {
    let thread = currentThread()
    let outer = thread.pointee.step
    thread.pointee.step = Unmanaged.passUnretained(self).toOpaque()
    let status = step(pointer, block, value, &out)
    thread.pointee.step = outer
    return status
  }

  /// Lets the callback see an end. Afterwards the phase is closed if it has made another end of it.
  private func end(_ event: Int32, _ value: Value) {
    guard scope.isActive else { return }
    block.pointee.event = event
    var out = StepSink.unwritten
    settle(call(value, &out), out)
  }

  /// Sees to all answers but the usual ones. `out` was transferred.
  private func settle(_ status: rac_status, _ written: Value) {
    var out = written
    phase = .closing
    if Callback.hasFailed(status) {
      fail(status)
      if out.kind != StepSink.unwritten.kind { out.release() }
      return
    }
    if out.kind != StepSink.unwritten.kind {
      guard accepts(&out) else { return }
      downstream.next(owned: out)
    }
    switch status {
    case RAC_STEP_COMPLETE: completed()
    case ..<RAC_STEP_COMPLETE: phase = .open
    default: refuse(Status.invalid, "a step callback returned a number that is no answer")
    }
  }

  @inline(__always)
  fileprivate func send(
    _ value: Value, by lent: UnsafeMutablePointer<rac_step>?, _ thread: Thread
  ) -> rac_status {
    guard lent == block, scope.isActive else {
      return StepSink.refuse(lent, ended: lent == block)
    }
    // Scalars need no look.
    if value.kind <= Value.Kind.double { return pass(value.scalar, thread) }
    return sendChecked(value, thread)
  }

  private func sendChecked(_ value: Value, _ thread: Thread) -> rac_status {
    Border.take(value, "rac_step_send", otherwise: { $0 }) { pass($0, thread) }
  }

  /// The subscribers that hear the value may not send in the callback's place.
  @inline(__always)
  private func pass(_ value: Value, _ thread: Thread) -> rac_status {
    thread.pointee.step = nil
    // The error that the callback has raised is not one of the callbacks that run inside it.
    thread.pointee.calling = thread.pointee.calling &+ 1
    downstream.next(value)
    thread.pointee.calling = thread.pointee.calling &- 1
    thread.pointee.step = Unmanaged.passUnretained(self).toOpaque()
    return Status.ok
  }

  fileprivate static func refuse(_ step: UnsafeMutablePointer<rac_step>?, ended: Bool = false)
    -> rac_status
  {
    let function: StaticString = "rac_step_send"
    if Process.isOver { return Border.refuseOver(function) }
    if step == nil { return Failure.record(Status.null, "step is NULL", in: function) }
    if ended {
      return Failure.record(Status.done, "the subscription has ended or was disposed", in: function)
    }
    return Failure.record(
      Status.stale, "only the callback that the step was lent to may send", in: function)
  }
}
