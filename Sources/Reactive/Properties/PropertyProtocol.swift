import CRAC

/// A value that changes: at hand at any time, and a signal of its changes. A `Property` or a
/// `DerivedProperty`.
public protocol PropertyProtocol<Value>: SignalProtocol, AnyObject {
  /// The current value. Waits for nobody, also while other threads set.
  var value: Value { get }
}

extension PropertyProtocol {
  /// A property whose value is what `transform` makes of this one's: run now, and then once for
  /// each change, however many observe.
  ///
  /// It changes together with this one, and with all that is made of it: no observer sees one
  /// without the other. It does not keep a `Property`, but completes when that goes, and keeps its
  /// value.
  ///
  /// - Parameter transform: makes a value of this one's.
  /// - Parameter distinct: whether a change that gives an equal value is none.
  ///
  /// RAC: RAC(target, key) = [RACObserve(…) map:…].
  @inlinable
  public func mapped<T: Sendable>(
    distinct: Bool = false, _ transform: @escaping @Sendable (Value) -> T
  ) -> DerivedProperty<T> {
    let source = ofEngine(self)
    return withExtendedLifetime(source) {
      DerivedProperty(
        adopting: rac_property_map(
          source.pointer, propertyOptions(distinct), mapping(transform).passed, MapContext.call,
          MapContext.release), keeping: derived(self), otherwise: { transform(self.value) })
    }
  }

  /// A property whose value is what `transform` makes of this one's and another's. See `mapped`.
  @inlinable
  public func combined<Other: PropertyProtocol, T: Sendable>(
    with other: Other, distinct: Bool = false,
    _ transform: @escaping @Sendable (Value, Other.Value) -> T
  ) -> DerivedProperty<T> {
    let first = ofEngine(self)
    let second = ofEngine(other)
    return withExtendedLifetime((first, second)) {
      withUnsafeTemporaryAllocation(of: OpaquePointer?.self, capacity: 2) { properties in
        properties[0] = first.pointer
        properties[1] = second.pointer
        return DerivedProperty(
          adopting: rac_property_combine_latest(
            properties.baseAddress, 2, propertyOptions(distinct), reducingBoth(transform).passed,
            ReduceEachContext.call, ReduceEachContext.release), keeping: derived(self),
          derived(other), otherwise: { transform(self.value, other.value) })
      }
    }
  }

  /// The value before and the value after, for each change from now on. RAC:
  /// -rac_valuesAndChangesForKeyPath:options:observer:.
  @inlinable
  public var changes: Signal<(Value, Value)> {
    let both: Signal<(Value, Value)> = ofEngine(self).derive { rac_property_changes($0) }
    let changes: Signal<(Value, Value)> = both.derive {
      rac_signal_reduce_each(
        $0, reducingBoth { (before: Value, after: Value) in (before, after) }.passed,
        ReduceEachContext.call, ReduceEachContext.release)
    }
    return derived(self).map { keeping($0, changes) } ?? changes
  }
}

/// The property if it is a derived one, which is kept where others are not.
@usableFromInline
func derived<P: PropertyProtocol>(_ property: P) -> (any AnyObject & Sendable)? {
  property as? DerivedProperty<P.Value>
}

/// The signal that is the property for the engine.
@usableFromInline
func ofEngine<P: PropertyProtocol>(_ property: P) -> Signal<P.Value> {
  (property as? DerivedProperty<P.Value>)?.unkept ?? property.signal
}

@usableFromInline
func propertyOptions(_ distinct: Bool) -> Int32 {
  Int32(distinct ? RAC_PROPERTY_DISTINCT : RAC_PROPERTY_PLAIN)
}

/// The current value of a property, or what there is where the engine has none.
@inlinable
func read<Value>(_ property: OpaquePointer?, _ otherwise: (@Sendable () -> Value)?) -> Value {
  var value = rac_value()
  let status = rac_property_get(property, &value)
  defer { if !isScalar(Value.self) { rac_value_release(value) } }
  guard status == 0, let decoded: Value = decode(value) else {
    return otherwise?() ?? noValue(status)
  }
  return decoded
}

/// Only where C forked the process: the child has no objects of the parent's.
@usableFromInline @inline(never)
func noValue<Value>(_ status: rac_status) -> Value {
  fatalError("a property was read that is gone: \(String(cString: rac_status_name(status)))")
}
