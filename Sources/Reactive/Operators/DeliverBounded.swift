import CRAC

extension SignalProtocol {
  /// `deliver(on:)` where at most so many values wait for the scheduler as a bound says.
  ///
  ///     source                     --1-2-3-4--|
  ///     scheduler                  ----------x----
  ///     Bound(2, .dropOldest)      ----------34|
  ///     Bound(2, .dropNewest)      ----------12|
  public func deliver(on scheduler: Scheduler, bound: Bound) -> Signal<Value> {
    withExtendedLifetime(bound) {
      derive(on: scheduler) { rac_signal_deliver_on_bounded($0, $1, bound.pointer) }
    }
  }
}
