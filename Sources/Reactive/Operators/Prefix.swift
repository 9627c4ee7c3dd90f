import CRAC

extension SignalProtocol {
  /// Sends the first `count` values, then completes without waiting for the source.
  ///
  ///     source     --1--2--3--|
  ///     prefix(2)  --1--(2|)
  ///
  /// RAC: -take:. Rx: take.
  public func prefix(_ count: Int) -> Signal<Value> {
    derive { rac_signal_take($0, notNegative(count)) }
  }

  /// Sends values while `predicate` says yes; completes at the first no, without that value, or
  /// after it with `inclusive`.
  ///
  ///     source             --1--2--3--1--|
  ///     prefix { $0 < 3 }  --1--2--|
  ///
  ///     source                              --1--2--3--1--|
  ///     prefix(inclusive: true) { $0 < 3 }  --1--2--(3|)
  ///
  /// RAC: -takeWhileBlock:; -takeUntilBlock: asks the opposite. Rx: takeWhile.
  @inlinable
  public func prefix(
    inclusive: Bool = false, while predicate: @escaping @Sendable (Value) throws -> Bool
  ) -> Signal<Value> {
    derive {
      inclusive
        ? rac_signal_take_until_inclusive(
          $0, testing { try !predicate($0) }.passed, PredicateContext.call, PredicateContext.release
        )
        : rac_signal_take_while(
          $0, testing(predicate).passed, PredicateContext.call, PredicateContext.release)
    }
  }

  /// Sends everything until `trigger` sends a value or completes; then completes.
  ///
  ///     source          --1--2--3--|
  ///     trigger         -------x
  ///     prefixUntil     --1--2-|
  ///
  /// RAC: -takeUntil:. Rx: takeUntil.
  public func prefixUntil<Trigger: SignalProtocol>(_ trigger: Trigger) -> Signal<Value> {
    derive(with: trigger) { rac_signal_take_until($0, $1) }
  }
}
