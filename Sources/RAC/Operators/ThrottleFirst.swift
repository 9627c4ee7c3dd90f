/// Sends a value, and drops those that follow within some time.
///
///     source           --1-2-3-----4-5--|
///     throttle_first 5 --1---------4----|
///
/// The time is that of the scheduler that is current when the value arrives; without one, of a background
/// scheduler. Nothing waits, so nothing comes late.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: throttleFirst, throttleTime. Since: 0.1
@_cdecl("rac_signal_throttle_first")
public func rac_signal_throttle_first(_ source: CSignal?, _ seconds: Double) -> CSignal? {
  if Border.isBrokenChain(source) { return nil }
  guard let time = Border.duration(seconds, "rac_signal_throttle_first") else { return nil }
  return Border.derive(source, "rac_signal_throttle_first") { $0.throttleFirst(time) }
}

extension Signal {
  func throttleFirst(_ nanoseconds: Int64) -> Signal {
    lift("throttleFirst:") { ThrottleFirstSink(nanoseconds, $0) }
  }
}

private final class ThrottleFirstSink: Stage {
  private let interval: Int64
  /// When the next value may pass; nil before the first.
  private var opens: Int64?

  init(_ interval: Int64, _ downstream: Sink) {
    self.interval = interval
    super.init(downstream)
  }

  override func next(_ value: Value) {
    let now = ArrivalScheduler.now
    if let opens, now < opens { return }
    let (next, overflow) = now.addingReportingOverflow(interval)
    opens = overflow ? .max : next
    downstream.next(value)
  }
}
