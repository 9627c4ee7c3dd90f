import CRAC

extension SignalProtocol {
  /// Sends the last `count` values when the source completes. An error drops them.
  ///
  ///     source     --1--2--3--|
  ///     suffix(2)  -----------(23|)
  ///
  /// RAC: -takeLast:. Rx: takeLast.
  public func suffix(_ count: Int) -> Signal<Value> {
    derive { rac_signal_take_last($0, notNegative(count)) }
  }
}
