import CRAC

extension SignalProtocol where Value: Equatable {
  /// Drops a value that equals the one before it.
  ///
  ///     source            --1--1--2--1--|
  ///     removeDuplicates  --1-----2--1--|
  ///
  /// RAC: -distinctUntilChanged.
  @inlinable
  public func removeDuplicates() -> Signal<Value> {
    guard isComparedByEngine(Value.self) else { return removeDuplicateKeys { $0 } }
    return derive { rac_signal_distinct_until_changed($0) }
  }
}

extension SignalProtocol {
  /// Drops a value whose key equals that of the one before it.
  ///
  ///     source                           --a--b--c--d--|   a: 11, b: 12, c: 23, d: 13
  ///     removeDuplicateKeys { $0 / 10 }  --a-----c--d--|
  ///
  /// Rx: distinctUntilChanged with a key.
  @inlinable
  public func removeDuplicateKeys<Key: Equatable & Sendable>(
    _ key: @escaping @Sendable (Value) throws -> Key
  ) -> Signal<Value> {
    derive {
      rac_signal_distinct_until_changed_by(
        $0, comparing(by: key).passed, MapContext.call, MapContext.release)
    }
  }

  /// Drops a value that `areEqual` says is equal to the last one that was sent.
  ///
  ///     source                      --a--b--c--|   a: 1, b: 1.1, c: 2
  ///     removeDuplicates(by: near)  --a-----c--|
  ///
  /// Combine: removeDuplicates(by:).
  public func removeDuplicates(
    by areEqual: @escaping @Sendable (Value, Value) throws -> Bool
  ) -> Signal<Value> {
    step(from: Value?.none) { last, event, output in
      guard case .value(let value) = event else { return }
      if let last, try areEqual(last, value) { return }
      last = value
      output.send(value)
    }
  }
}
