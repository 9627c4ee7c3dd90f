import CRACShims

/// Sends a value when no other has followed it for some time: Rx's debounce.
///
///     source     --1-2-3-----4--|
///     throttle 3 ---------3-----(4|)
///
/// A completion sends the value that waits at once; an error drops it.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter scheduler: borrowed, retained; where the time passes. NULL: the one that is current
///   when a value arrives; without one, a background scheduler. Not the immediate one.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -throttle:. Rx: debounce, debounceTime. Since: 0.1
@c public func rac_signal_throttle(_ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?)
  -> CSignal?
{
  Border.derive(source, seconds, scheduler) { $0.throttle($1) }
}

/// rac_signal_throttle() for the values that `predicate` says yes to. Any other value drops the one
/// that waits, and is sent at once.
///
///     source          --1-2--9-4---|
///     throttle 3, < 9 -------9----4|
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter scheduler: as for rac_signal_throttle().
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes to `*out` whether the value is to wait; a failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -throttle:valuesPassingTest:. Since: 0.1
@c public func rac_signal_throttle_passing_test(
  _ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?, _ context: CContext?,
  _ predicate: rac_predicate_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, predicate, destroy) { source, context, predicate in
    Border.timing(seconds, scheduler).map { source.throttle($0, context, predicate) }
  }
}

extension Signal {
  func throttle(_ timing: Timing) -> Signal {
    lift("throttle:") { Input.only(ThrottleCore(timing, nil, $0)) }
  }

  func throttle(
    _ timing: Timing, _ context: Context, _ predicate: @escaping rac_predicate_fn
  ) -> Signal {
    let test = Closure(context, predicate)
    return lift("throttle:valuesPassingTest:", holding: context) {
      Input.only(ThrottleCore(timing, test, $0))
    }
  }
}

/// Has one timer for all values that come while it runs: a value moves the deadline, and a timer
/// that fires before that is set again. In a recording and where time is virtual each value has a
/// timer of its own: a replay asks for the same ones.
private final class ThrottleCore: TimedCore {
  private let test: Closure<rac_predicate_fn>?
  /// Tells a timer that fired while it was being replaced from the one that is meant.
  private var generation: Int64 = 0
  /// Where the timer runs, and when the value that waits is due.
  private var home: Scheduler?
  private var deadline: Int64 = 0
  /// The scheduler of the timer, if that serves later values, too.
  private var shared: UnsafeMutableRawPointer?

  init(_ timing: Timing, _ test: Closure<rac_predicate_fn>?, _ downstream: Sink) {
    self.test = test
    super.init(timing, downstream)
  }

  override func next(_ input: Input?, _ value: Value) {
    if let test {
      dropHeld()
      guard let isHeld = ask(test, value) else { return }
      if !isHeld { return downstream.next(value) }
    }
    hold(value)
    let here = place
    deadline = here._withUnsafeGuaranteedRef { $0.now }.saturatingAdd(timing.nanoseconds)
    if timer != nil, here.toOpaque() == shared, !rac_recording_is_on() { return }
    begin(on: here.takeUnretainedValue())
  }

  @inline(never)
  private func begin(on here: Scheduler) {
    stopWaiting()
    home = here
    shared = here.kind == .virtual ? nil : Unmanaged.passUnretained(here).toOpaque()
    wait(on: here)
  }

  private func wait(on scheduler: Scheduler) {
    generation &+= 1
    wait(until: deadline, on: scheduler, telling: .int64(generation))
  }

  /// nil: nobody listens any more, or the callback failed.
  private func ask(_ test: Closure<rac_predicate_fn>, _ value: Value) -> Bool? {
    guard downstream.scope.isActive else { return nil }
    var isHeld = false
    let status = test.function(test.pointer, value, &isHeld)
    if !Callback.hasFailed(status) { return isHeld }
    end(owned: Callback.error(from: status))
    return nil
  }

  override func fire(_ value: Value) {
    guard value.bits == generation, held != nil, let home else { return }
    timer = nil
    if home.now < deadline { wait(on: home) } else { sendHeld() }
  }

  override func completed(_ input: Input?) {
    stopWaiting()
    sendHeld()
    endCompleted()
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(test?.context) }
}
