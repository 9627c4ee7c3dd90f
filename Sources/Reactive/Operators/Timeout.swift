import CRAC

extension SignalProtocol {
  /// Fails when the source has not ended some time after it is observed. Values do not put it off.
  ///
  ///     source             --1--2--3--4--|
  ///     timeout(after: 9)  --1--2--3#
  ///
  /// The error is an `EngineError` that `isTimeout`. The source is disposed before it is sent. The
  /// timeout of Combine and Rx is `timeout(afterIdle:)`.
  ///
  /// RAC: -timeout:onScheduler:.
  public func timeout(after duration: Duration, on scheduler: Scheduler? = nil) -> Signal<Value> {
    derive(on: scheduler) { rac_signal_timeout($0, duration.seconds, $1) }
  }

  /// Fails when no value has come for some time, from the beginning on.
  ///
  ///     source                 --1--2--------3--|
  ///     timeout(afterIdle: 5)  --1--2----#
  ///
  /// The error is an `EngineError` that `isTimeout`. Rx: timeout.
  public func timeout(
    afterIdle duration: Duration, on scheduler: Scheduler? = nil
  ) -> Signal<Value> {
    derive(on: scheduler) { rac_signal_idle_timeout($0, duration.seconds, $1) }
  }

  /// Goes on with another signal when no value has come for some time, from the beginning on.
  ///
  ///     source                               --1--2--------3--|
  ///     other                                          -8-9--|
  ///     timeout(afterIdle: 5, switchingTo:)  --1--2-----8-9--|
  public func timeout<Other: SignalProtocol<Value>>(
    afterIdle duration: Duration, switchingTo other: Other, on scheduler: Scheduler? = nil
  ) -> Signal<Value> {
    let other = other.signal
    return withExtendedLifetime(other) {
      derive(on: scheduler) { rac_signal_idle_timeout_to($0, duration.seconds, other.pointer, $1) }
    }
  }
}
