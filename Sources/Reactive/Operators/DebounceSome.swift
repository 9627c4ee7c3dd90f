import CRAC

extension SignalProtocol {
  /// `debounce` for the values that `isDebounced` says yes to. Any other value drops the one that
  /// waits, and is sent at once.
  ///
  ///     source                           --1-2--9-4---|
  ///     debounce(for: 3, where: { <9 })  -------9----4|
  ///
  /// RAC: -throttle:valuesPassingTest:.
  @inlinable
  public func debounce(
    for interval: Duration, on scheduler: Scheduler? = nil,
    where isDebounced: @escaping @Sendable (Value) throws -> Bool
  ) -> Signal<Value> {
    let context = testing(isDebounced)
    return derive(on: scheduler) {
      rac_signal_throttle_passing_test(
        $0, interval.seconds, $1, context.passed, PredicateContext.call, PredicateContext.release)
    }
  }
}
