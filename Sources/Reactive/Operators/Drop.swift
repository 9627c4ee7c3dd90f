import CRAC

extension SignalProtocol {
  /// Drops the first `count` values.
  ///
  ///     source        --1--2--3--|
  ///     dropFirst(2)  --------3--|
  ///
  /// RAC: -skip:. Rx: skip.
  public func dropFirst(_ count: Int = 1) -> Signal<Value> {
    derive { rac_signal_skip($0, notNegative(count)) }
  }

  /// Drops values while `predicate` says yes; sends the first other one and all after it.
  ///
  ///     source           --1--2--3--1--|
  ///     drop { $0 < 3 }  --------3--1--|
  ///
  /// RAC: -skipWhileBlock:; -skipUntilBlock: asks the opposite. Rx: skipWhile.
  @inlinable
  public func drop(while predicate: @escaping @Sendable (Value) throws -> Bool) -> Signal<Value> {
    derive {
      rac_signal_skip_while(
        $0, testing(predicate).passed, PredicateContext.call, PredicateContext.release)
    }
  }

  /// Drops values until `trigger` sends one. That the trigger completes without one lets nothing
  /// through.
  ///
  ///     source        --1--2--3--4--|
  ///     trigger       -------x--x
  ///     dropUntil     --------3--4--|
  ///
  /// Rx: skipUntil. Combine: drop(untilOutputFrom:).
  public func dropUntil<Trigger: SignalProtocol>(_ trigger: Trigger) -> Signal<Value> {
    derive(with: trigger) { rac_signal_skip_until($0, $1) }
  }
}
