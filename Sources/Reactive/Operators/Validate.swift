import CRAC

extension SignalProtocol {
  /// Passes each value once `check` has returned for it; an error that `check` throws ends the
  /// signal.
  ///
  ///     source          --1--2--3--|
  ///     validate { <3 } --1--2--#
  ///
  /// RAC: -try:.
  @inlinable
  public func validate(_ check: @escaping @Sendable (Value) throws -> Void) -> Signal<Value> {
    let context = TryContext { value in
      guard let input: Value = decode(value) else { return raiseMismatch(value, Value.self) }
      do {
        try check(input)
        return 0
      } catch {
        return raise(error)
      }
    }
    return derive { rac_signal_try($0, context.passed, TryContext.call, TryContext.release) }
  }
}
