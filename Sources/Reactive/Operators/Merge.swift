import CRAC

extension SignalProtocol {
  /// Sends what either signal sends; completes when both have, fails when one does.
  ///
  ///     source       --1-----3--|
  ///     other        ----2--|
  ///     merge(with:) --1-2---3--|
  ///
  /// RAC: -merge:.
  @inlinable
  public func merge<Other: SignalProtocol<Value>>(with other: Other) -> Signal<Value> {
    derive(with: other) { rac_signal_merge_with($0, $1) }
  }
}
