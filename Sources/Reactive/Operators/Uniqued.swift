import CRAC

extension SignalProtocol where Value: Hashable {
  /// Drops every value that equals one that came before, however long ago.
  ///
  ///     source   --1--2--1--3--2--|
  ///     uniqued  --1--2-----3-----|
  ///
  /// A subscription keeps all different values until it ends. Rx: distinct.
  @inlinable
  public func uniqued() -> Signal<Value> {
    guard isComparedByEngine(Value.self) else { return uniqued(on: { $0 }) }
    return derive { rac_signal_distinct($0, nil, nil, nil) }
  }
}

extension SignalProtocol {
  /// Drops every value whose key equals that of one that came before.
  ///
  ///     source               --a--b--c--d--|   a: 11, b: 12, c: 23, d: 13
  ///     uniqued { $0 / 10 }  --a-----c-----|
  ///
  /// A subscription keeps all different keys until it ends. Rx: distinct with a key.
  @inlinable
  public func uniqued<Key: Hashable & Sendable>(
    on key: @escaping @Sendable (Value) throws -> Key
  ) -> Signal<Value> {
    derive {
      rac_signal_distinct($0, hashing(by: key).passed, MapContext.call, MapContext.release)
    }
  }
}
