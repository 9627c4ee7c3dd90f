/// Sends a value, then, as long as others come, the latest of them each time that some time has
/// passed.
///
///     source            --1-2-3-----4------5--|
///     throttle_latest 5 --1----3----4------5--|
///
/// So the last value is always sent, at most that time late, and no two come closer together. A
/// completion sends the value that waits at once; an error drops it.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter scheduler: borrowed, retained; where the time passes. NULL: the one that is current
///   when a value arrives; without one, a background scheduler. Not the immediate one.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: throttleLatest; throttleTime, leading and trailing. Since: 0.1
@c public func rac_signal_throttle_latest(
  _ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?
) -> CSignal? {
  Border.derive(source, seconds, scheduler) { source, timing in
    source.lift("throttleLatest:") {
      Input.only(ThrottleLatestCore(timing, sendingFirst: true, $0))
    }
  }
}

/// Waits for some time when a value comes, and then sends the latest one.
///
///     source   --1-2-3-----4--|
///     audit 5  -------3-------(4|)
///
/// rac_signal_throttle_latest() without the first value, and so without a pause from one time to
/// the next. A completion sends the value that waits at once; an error drops it.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter scheduler: as for rac_signal_throttle_latest().
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: auditTime, throttleLast. Since: 0.1
@c public func rac_signal_audit(_ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?)
  -> CSignal?
{
  Border.derive(source, seconds, scheduler) { source, timing in
    source.lift("audit:") { Input.only(ThrottleLatestCore(timing, sendingFirst: false, $0)) }
  }
}

private final class ThrottleLatestCore: TimedCore {
  private let sendsFirst: Bool

  init(_ timing: Timing, sendingFirst: Bool, _ downstream: Sink) {
    sendsFirst = sendingFirst
    super.init(timing, downstream)
  }

  override func next(_ input: Input?, _ value: Value) {
    // Nothing may be sent while it runs.
    if timer == nil {
      wait()
      if sendsFirst { return downstream.next(value) }
    }
    hold(value)
  }

  override func fire(_ value: Value) {
    timer = nil
    if sendsFirst && held != nil { wait() }
    sendHeld()
  }

  override func completed(_ input: Input?) {
    stopWaiting()
    sendHeld()
    endCompleted()
  }
}
