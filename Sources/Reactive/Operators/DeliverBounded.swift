import CRAC

extension SignalProtocol {
  /// `deliver(on:)` where at most so many values wait for the scheduler as a bound says.
  ///
  ///     source                 --1-2-3-4--|
  ///     scheduler              ----------x---x
  ///     Bound(2, .dropOldest)  ----------(34)|
  ///     Bound(2, .dropNewest)  ----------(12)|
  ///
  /// It fails when the bound is in use elsewhere, which one may be that waits or refuses.
  public func deliver(on scheduler: Scheduler, bound: Bound) -> Signal<Value> {
    withExtendedLifetime(bound) {
      derive(on: scheduler) { source, scheduler in
        rac_signal_deliver_on_bounded(source, scheduler, bound.pointer)
          ?? refusedSignal(on: scheduler)
      }
    }
  }
}
