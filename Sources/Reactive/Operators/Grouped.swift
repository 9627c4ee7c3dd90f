import CRAC

/// A signal of the values that have one key. RAC: RACGroupedSignal.
public struct GroupedSignal<Key: Hashable & Sendable, Value: Sendable>: SignalProtocol {
  /// The key of all its values.
  public let key: Key
  /// The values.
  public let signal: Signal<Value>
}

extension SignalProtocol {
  /// Sends a signal for each new key, which sends the values that have that key.
  ///
  ///     source  --1--2--3--4--|
  ///     groups  --A--B--------|   (by odd and even)
  ///     A         1-----3-----|
  ///     B            2-----4--|
  ///
  /// A group is sent before its first value, so only who observes it at once hears that value.
  ///
  /// RAC: -groupBy:. Rx: groupBy.
  public func grouped<Key: Hashable & Sendable>(
    by key: @escaping @Sendable (Value) throws -> Key
  ) -> Signal<GroupedSignal<Key, Value>> {
    let context = hashing(by: key)
    let source = signal
    return withExtendedLifetime(source) {
      converting(
        rac_signal_group_by(
          source.pointer, context.passed, MapContext.call, nil, MapContext.release)
      ) { group in
        let signal: Signal<Value> = Reactive.signal(in: group)
        var key = rac_value_nil()
        guard rac_signal_get_key(signal.pointer, &key) == 0 else { throw EngineError.latest() }
        // Lent: the group keeps it.
        let compared: ComparedKey<Key> = try decodedBox(key)
        return GroupedSignal(key: compared.key, signal: signal)
      }
    }
  }

  /// `grouped(by:)` whose groups send what `transform` makes of the values.
  ///
  ///     source  --1--2--3--4--|
  ///     groups  --A--B--------|   (by odd and even, times 10)
  ///     A         a-----c-----|
  ///     B            b-----d--|   a: 10, b: 20, c: 30, d: 40
  ///
  /// RAC: -groupBy:transform:.
  public func grouped<Key: Hashable & Sendable, T: Sendable>(
    by key: @escaping @Sendable (Value) throws -> Key,
    transform: @escaping @Sendable (Value) throws -> T
  ) -> Signal<GroupedSignal<Key, T>> {
    grouped(by: key).map { GroupedSignal(key: $0.key, signal: $0.map(transform)) }
  }
}

/// The contents of a box that is a key.
private func decodedBox<T>(_ value: rac_value) throws -> T {
  guard let value = box(in: value)?.value(as: T.self) else {
    throw EngineError.typeMismatch(value, T.self)
  }
  return value
}
