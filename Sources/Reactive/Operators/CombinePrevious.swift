import CRAC

extension SignalProtocol {
  /// Sends what `combine` makes of each value and the one before it, at first `initial`.
  ///
  ///     source                           --1--2--4--|
  ///     combinePrevious(0) { ($0, $1) }  --a--b--c--|   a: (0,1), b: (1,2), c: (2,4)
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
  ///     source         --1--2-----3-----|
  ///     adjacentPairs  -----a-----b-----|   a: (1,2), b: (2,3)
  ///
  /// Rx: pairwise.
  public func adjacentPairs() -> Signal<(Value, Value)> {
    let source = signal
    return withExtendedLifetime(source) {
      converting(rac_signal_pairwise(source.pointer)) { (try part(of: $0, 0), try part(of: $0, 1)) }
    }
  }
}
