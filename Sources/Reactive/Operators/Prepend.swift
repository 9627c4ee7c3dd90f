import CRAC

extension SignalProtocol {
  /// Sends a value, then subscribes to the source.
  ///
  ///     source      --1--2--|
  ///     prepend(0)  0-1--2--|
  ///
  /// RAC: -startWith:. Rx: startWith.
  @inlinable
  public func prepend(_ value: Value) -> Signal<Value> {
    derive { source in withEncoded(value) { rac_signal_start_with(source, $0) } }
  }

  /// Sends what another signal sends, and when that has completed what the source sends.
  ///
  ///     other    -8-9|
  ///     source       --1--2--|
  ///     prepend  -8-9--1--2--|
  ///
  /// RAC: -concat:, the other way round.
  public func prepend<Other: SignalProtocol<Value>>(contentsOf other: Other) -> Signal<Value> {
    other.append(self)
  }
}
