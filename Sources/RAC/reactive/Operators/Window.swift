/// Sends a signal of the values that come until `boundary` sends something, and then another one.
///
///     source   --1--2-----3--|
///     boundary -------x------
///     result   A------B------|
///     A        --1--2-|
///     B               ----3--|
///
/// The first comes at the subscription. The signals are hot: a late subscriber hears the values
/// still to come, or the end if the signal is over. The end of the source or an error ends the open
/// signal, then the result; the boundary's completion changes nothing. A disposal is no end: the
/// open signal is let go.
///
/// - Parameter source: borrowed; subscribed to first.
/// - Parameter boundary: borrowed; its values do not matter.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. See
///   rac_value_to_signal().
///
/// Rx: window. Since: 0.1
@c public func rac_signal_window(_ source: CSignal?, _ boundary: CSignal?) -> CSignal? {
  Border.derive(source, boundary) { $0.window($1) }
}

/// rac_signal_window() with the time as the boundary: one signal after another, each for so long.
///
///     source             --1---2----3--|
///     window_with_time 5 A----B----C---|
///     A                  --1--|
///     B                       -2---|
///     C                            -3--|
///
/// Some may stay empty, where rac_signal_buffer_with_time() waits for a value.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: greater than 0.
/// - Parameter scheduler: borrowed, retained; sends there. NULL: the one that is current at the
///   subscription; without one, a background scheduler. Not the immediate one.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: windowTime. Since: 0.1
@c public func rac_signal_window_with_time(
  _ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?
) -> CSignal? {
  if Border.isBrokenChain(source) { return nil }
  guard let timing = Border.timing(seconds, scheduler) else { return nil }
  // As it is counted: less than half a nanosecond is none.
  if timing.nanoseconds == 0 { return Border.fail(Status.invalid, "the time is zero") }
  return Border.derive(source) { $0.window(Signal.interval(timing)) }
}

extension Signal {
  func window(_ boundary: Signal) -> Signal {
    Signal.combine("window:", [self, boundary], named: self) { BoundaryCore($0) }
  }
}

private final class BoundaryCore: WindowCore {
  override func isSource(_ input: Input?) -> Bool { input?.position == 0 }

  override func willBegin(_ inputs: [Input]) { submitRarely(.fire) }
  override func fire(_ value: Value) { open() }

  override func next(_ input: Input?, _ value: Value) {
    if isSource(input) { return windows.send(value) }
    windows.close()
    open()
  }
}
