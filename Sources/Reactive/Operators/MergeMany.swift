import CRAC

extension Signal {
  /// Sends what any of the signals sends, as it comes; completes when all have, fails with the
  /// first.
  ///
  ///     a      --1-----3--|
  ///     b      ----2--|
  ///     merge  --1-2---3--|
  ///
  /// With `delayingErrors` an error waits until the other signals have ended; the first is the
  /// signal's.
  ///
  /// RAC: +merge:. Rx: merge, mergeDelayError.
  public static func merge<Source: SignalProtocol<Value>>(
    _ signals: [Source], delayingErrors: Bool = false
  ) -> Signal<Value> {
    signals.withPointers {
      Signal(
        adopting: delayingErrors
          ? rac_signal_merge_delay_error($0, $0.count) : rac_signal_merge($0, $0.count))
    }
  }

  /// `merge` with a bound on the values that wait: those that one signal sends while another's
  /// value is being delivered.
  ///
  ///     a      --1-----3--|
  ///     b      ----2--|
  ///     merge  --1-2---3--|
  public static func merge<Source: SignalProtocol<Value>>(
    _ signals: [Source], bound: Bound
  ) -> Signal<Value> {
    withExtendedLifetime(bound) {
      signals.withPointers {
        Signal(adopting: rac_signal_merge_bounded($0, $0.count, bound.pointer))
      }
    }
  }

  /// Sends what that signal sends that sends something first, be it an end, and leaves the others.
  ///
  ///     a     -----1--2--|
  ///     b     --7-----8--9--|
  ///     race  --7-----8--9--|
  ///
  /// They are observed in their order; one that sends at once has won before the next is. Rx: race,
  /// amb.
  public static func race<Source: SignalProtocol<Value>>(_ signals: [Source]) -> Signal<Value> {
    signals.withPointers { Signal(adopting: rac_signal_race($0, $0.count)) }
  }
}
