import CRAC

extension SignalProtocol {
  /// Sends whether a value came that `predicate` says yes to, and completes as soon as that is
  /// known.
  ///
  ///     source               --1--2--3--|
  ///     contains { $0 > 1 }  -----(t|)          t: true, f: false
  ///     contains { $0 > 9 }  -----------(f|)
  ///
  /// An error counts as an end without such a value. RAC: -any:.
  @inlinable
  public func contains(
    where predicate: @escaping @Sendable (Value) throws -> Bool
  ) -> Signal<Bool> {
    derive {
      rac_signal_any($0, testing(predicate).passed, PredicateContext.call, PredicateContext.release)
    }
  }

  /// Sends whether `predicate` says yes to all values, and completes as soon as that is known.
  ///
  ///     source                 --1--2--3--|
  ///     allSatisfy { $0 < 9 }  -----------(t|)   t: true, f: false
  ///     allSatisfy { $0 < 2 }  -----(f|)
  ///
  /// An error counts as false. RAC: -all:.
  @inlinable
  public func allSatisfy(
    _ predicate: @escaping @Sendable (Value) throws -> Bool
  ) -> Signal<Bool> {
    derive {
      rac_signal_all($0, testing(predicate).passed, PredicateContext.call, PredicateContext.release)
    }
  }
}
