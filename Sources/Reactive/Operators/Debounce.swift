import CRAC

extension SignalProtocol {
  /// Sends a value when no other has come for `interval`, on `scheduler`; without one on the main
  /// one where this is the main actor's code, and else on that which is current when the value
  /// comes.
  ///
  ///     source            --1-2-3-----4--|
  ///     debounce(for: 3)  ---------3-----(4|)
  ///
  /// RAC: -throttle:. Everybody else: debounce.
  public func debounce(for interval: Duration, on scheduler: Scheduler? = nil) -> Signal<Value> {
    derive(on: scheduler) { rac_signal_throttle($0, interval.seconds, $1) }
  }
}
