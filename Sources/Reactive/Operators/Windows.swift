import CRAC

extension SignalProtocol {
  /// Sends a signal of the values that come until `boundary` sends something, and then another one.
  ///
  ///     source    --1--2-----3--|
  ///     boundary  -------x------
  ///     windows   A------B------|
  ///     A         --1--2-|
  ///     B                ----3--|
  ///
  /// The signals are hot: a late observer hears the values still to come, or the end if the signal
  /// is over. The end of the source, or an error, ends the open one; the boundary's completion
  /// changes nothing.
  ///
  /// Rx: window.
  public func windows<Boundary: SignalProtocol>(
    separatedBy boundary: Boundary
  ) -> Signal<Signal<Value>> {
    let boundary = boundary.signal
    return withExtendedLifetime(boundary) {
      signals { rac_signal_window($0, boundary.pointer) }
    }
  }

  /// Sends one signal of values after another, each for so long.
  ///
  ///     source           --1---2----3--|
  ///     windows(for: 5)  A----B----C---|
  ///     A                --1--|
  ///     B                     -2---|
  ///     C                          -3--|
  ///
  /// Some may stay empty, where `chunks(for:)` waits for a value. Rx: windowTime.
  public func windows(
    for interval: Duration, on scheduler: Scheduler? = nil
  ) -> Signal<Signal<Value>> {
    serving(scheduler) { pointer in
      signals { rac_signal_window_with_time($0, interval.seconds, pointer) }
    }
  }

  /// Sends a signal of so many values; the next one begins `stride` values after the beginning of
  /// the one before.
  ///
  ///     source               --1--2--3--4--|
  ///     windows(ofCount: 2)  --A-----B-----|
  ///     A                      1--(2|)
  ///     B                            3--(4|)
  ///
  /// Each signal is sent before its first value, so only who observes it at once hears that value.
  /// Rx: windowCount.
  public func windows(ofCount count: Int, stride: Int? = nil) -> Signal<Signal<Value>> {
    signals { rac_signal_window_with_count($0, notNegative(count), notNegative(stride ?? count)) }
  }

  /// Sends a signal for each value of `openings`, of what the source sends until the signal that
  /// `closing` makes of that value sends something, or completes.
  ///
  ///     source    --1--2--3--4--|
  ///     openings  ---a-----b----
  ///     closing      ------x        (for a; for b it is silent)
  ///     windows   ---A-----B----|
  ///     A            --2--3|
  ///     B                  --4--|
  ///
  /// They may overlap. Rx: windowToggle.
  public func windows<Openings: SignalProtocol, Closing: SignalProtocol>(
    openedBy openings: Openings,
    closedBy closing: @escaping @Sendable (Openings.Value) throws -> Closing
  ) -> Signal<Signal<Value>> {
    let openings = openings.signal
    let context = flattening(closing)
    return withExtendedLifetime(openings) {
      signals {
        rac_signal_window_toggle(
          $0, openings.pointer, context.passed, SignalContext.call, SignalContext.release)
      }
    }
  }

  private func signals(
    _ make: (OpaquePointer?) -> OpaquePointer?
  ) -> Signal<Signal<Value>> {
    let source = signal
    return withExtendedLifetime(source) {
      converting(make(source.pointer)) { Reactive.signal(in: $0) }
    }
  }
}
