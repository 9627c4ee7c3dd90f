import CRAC

extension SignalProtocol {
  /// Sends a value before the completion of a source that has sent none.
  ///
  ///     source                 -----|
  ///     replaceEmpty(with: 7)  -----(7|)
  ///
  /// Rx: defaultIfEmpty.
  @inlinable
  public func replaceEmpty(with value: Value) -> Signal<Value> {
    derive { source in withEncoded(value) { rac_signal_default_if_empty(source, $0) } }
  }

  /// Goes on with another signal when the source completes without having sent a value.
  ///
  ///     source                      -----|
  ///     other                            --1--2--|
  ///     replaceEmpty(withSignal:)   -------1--2--|
  ///
  /// Rx: switchIfEmpty.
  public func replaceEmpty<Other: SignalProtocol<Value>>(withSignal other: Other) -> Signal<Value> {
    derive(with: other) { rac_signal_switch_if_empty($0, $1) }
  }
}
