import CRAC

extension SignalProtocol {
  /// Sends values while the latest value of `running` is true; those that come meanwhile wait, at
  /// most `capacity` of them, the oldest giving way.
  ///
  ///     source                 --1--2--3--4-----5--|
  ///     running                t-----f------t-------   t: true, f: false
  ///     pausable(by: running)  --1--2-----------5--|
  ///     …, buffering: 9        --1--2-------(34)5--|
  ///
  /// Paused until `running` has sent something: a property does at once. A completion comes behind
  /// what waits, an error drops it.
  ///
  /// Rx: pausable, pausableBuffered.
  public func pausable<Running: SignalProtocol<Bool>>(
    by running: Running, buffering capacity: Int = 0
  ) -> Signal<Value> {
    derive(with: running) { rac_signal_pausable($0, $1, notNegative(capacity)) }
  }
}
