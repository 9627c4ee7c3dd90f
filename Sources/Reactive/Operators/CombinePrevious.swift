import CRAC

extension SignalProtocol {
  /// Sends what `combine` makes of each value and the one before it, at first `initial`.
  ///
  ///     source                       --1--2--4--|
  ///     combinePrevious(0) { $1-$0 } --1--1--2--|
  ///
  /// RAC: -combinePreviousWithStart:reduce:.
  @inlinable
  public func combinePrevious<T: Sendable>(
    _ initial: Value, _ combine: @escaping @Sendable (Value, Value) throws -> T
  ) -> Signal<T> {
    derive { source in
      withEncoded(initial) {
        rac_signal_combine_previous(
          source, $0, reducing(combine).passed, ReduceContext.call, ReduceContext.release)
      }
    }
  }

  /// Sends each value with the one before it; nothing for the first.
  ///
  ///     source         --1--2------3------|
  ///     adjacentPairs  -----(1,2)--(2,3)--|
  ///
  /// Rx: pairwise.
  public func adjacentPairs() -> Signal<(Value, Value)> {
    let source = signal
    return withExtendedLifetime(source) {
      converting(rac_signal_pairwise(source.pointer)) { (try part(of: $0, 0), try part(of: $0, 1)) }
    }
  }
}
