import CRAC

extension SignalProtocol {
  /// Sends each value, and the completion, some time later; an error at once, in place of what
  /// waits.
  ///
  ///     source         --1--2--|
  ///     delay(for: 2)  ----1--2--|
  ///
  /// RAC: -delay:.
  public func delay(for duration: Duration, on scheduler: Scheduler? = nil) -> Signal<Value> {
    derive(on: scheduler) { rac_signal_delay($0, duration.seconds, $1) }
  }

  /// Sends each value when the signal that `trigger` makes of it sends something, or completes. So
  /// values may overtake each other.
  ///
  ///     source         --1--2--|
  ///     until for 1      ----x|
  ///     until for 2         x|
  ///     delay(until:)  -----21-|
  ///
  /// Completes when the source has and nothing waits; an error drops what waits. Rx: delayWhen.
  @inlinable
  public func delay<S: SignalProtocol>(
    until trigger: @escaping @Sendable (Value) throws -> S
  ) -> Signal<Value> {
    derive {
      rac_signal_delay_when(
        $0, flattening(trigger).passed, SignalContext.call, SignalContext.release)
    }
  }

  /// Observes the source some time after it is observed itself: unlike `delay(for:)` a pause for
  /// `retry`.
  ///
  ///     source                         ----1--2--|
  ///     delaySubscription(for: 4)  --------1--2--|
  ///
  /// Rx: delaySubscription.
  public func delaySubscription(
    for duration: Duration, on scheduler: Scheduler? = nil
  ) -> Signal<Value> {
    derive(on: scheduler) { rac_signal_delay_subscription($0, duration.seconds, $1) }
  }

  /// Observes the source when another signal sends something, or completes.
  ///
  ///     source                       ----1--2--|
  ///     trigger                    --x
  ///     delaySubscription(until:)  ------1--2--|
  public func delaySubscription<Trigger: SignalProtocol>(until trigger: Trigger) -> Signal<Value> {
    derive(with: trigger) { rac_signal_delay_subscription_until($0, $1) }
  }
}
