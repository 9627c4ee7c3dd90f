/// Subscribes to the source some time after it is subscribed to itself.
///
///     source                   ----1--2--|
///     delay_subscription 4 --------1--2--|
///
/// So, unlike rac_signal_delay(), it makes a pause for rac_signal_retry(), before the first try as
/// well.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter scheduler: borrowed, retained; where the source is subscribed to. NULL: the one that
///   is current at the subscription; without one, a background scheduler. Not the immediate one.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: delaySubscription, subscribeOn with a delay. Since: 0.1
@c public func rac_signal_delay_subscription(
  _ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?
) -> CSignal? {
  Border.derive(source, seconds, scheduler) { $0.delaySubscription(EmptySignal().delay($1)) }
}

/// Subscribes to the source when another signal sends something, or completes.
///
///     source                     ----1--2--|
///     trigger                  --x
///     delay_subscription_until ------1--2--|
///
/// An error of the trigger is that of the result.
///
/// - Parameter source: borrowed.
/// - Parameter trigger: borrowed; its values do not matter.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: delaySubscription with an observable. Since: 0.1
@c public func rac_signal_delay_subscription_until(_ source: CSignal?, _ trigger: CSignal?)
  -> CSignal?
{
  Border.derive(source, trigger) { $0.delaySubscription($1.take(1).ignoreValues()) }
}

extension Signal {
  /// Begins when the trigger, which sends no values, has completed.
  func delaySubscription(_ trigger: Signal) -> Signal {
    Signal.concat([trigger, self]).named("delaySubscription:", self)
  }
}
