/// Sends a value, and drops those that follow within some time.
///
///     source           --1-2-3-----4-5--|
///     throttle_first 5 --1---------4----|
///
/// Nothing waits, so nothing comes late.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter scheduler: borrowed, retained; whose clock it is. NULL: that of the one which is
///   current when a value arrives. Not the immediate one.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: throttleFirst, throttleTime. Since: 0.1
@c public func rac_signal_throttle_first(
  _ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?
) -> CSignal? {
  Border.derive(source, seconds, scheduler) { source, timing in
    source.lift("throttleFirst:") { ThrottleFirstSink(timing, $0) }
  }
}

private final class ThrottleFirstSink: Stage {
  private let timing: Timing
  /// When the next value may pass; nil before the first.
  private var opens: Int64?

  init(_ timing: Timing, _ downstream: Sink) {
    self.timing = timing
    super.init(downstream)
  }

  override func next(_ value: Value) {
    let now = timing.now
    if let opens, now < opens { return }
    opens = now.saturatingAdd(timing.nanoseconds)
    downstream.next(value)
  }
}
