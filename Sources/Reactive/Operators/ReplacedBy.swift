import CRAC

extension SignalProtocol {
  /// Sends what the source sends until `replacement` sends anything; from then on what that sends.
  ///
  ///     source       --1--2--3--4--
  ///     replacement  --------8--9--|
  ///     replaced     --1--2--8--9--|
  ///
  /// The source is disposed then. Before, its completion is no end, but its error is.
  ///
  /// RAC: -takeUntilReplacement:.
  public func replaced<Other: SignalProtocol<Value>>(by replacement: Other) -> Signal<Value> {
    derive(with: replacement) { rac_signal_take_until_replacement($0, $1) }
  }
}
