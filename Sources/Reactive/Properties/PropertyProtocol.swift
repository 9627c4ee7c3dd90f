import CRAC

/// A value that changes: at hand at any time, and a signal of its changes. A `Property` or a
/// `DerivedProperty`.
public protocol PropertyProtocol<Value>: SignalProtocol, AnyObject {
  /// The current value. Waits for nobody, also while other threads set.
  var value: Value { get }

  /// The current value, read so that Observation hears of changes: for `Observations` and
  /// `withObservationTracking`.
  ///
  ///     let titles = Observations { "\(name.tracked), \(unread.tracked)" }
  ///
  /// `onChange` comes when the value has changed, on the thread that has changed it. Observation
  /// begins to listen when its closure is over: of a change by another thread meanwhile it hears if
  /// the closure is the main actor's, as a screen's is, and else not. A signal misses none.
  var tracked: Value { get }
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
    let node = PropertyNode(self)
    return withExtendedLifetime(node) {
      DerivedProperty(
        adopting: rac_property_map(
          node.pointer, propertyOptions(distinct), mapping(transform).passed, MapContext.call,
          MapContext.release), keeping: [node.derived], otherwise: { transform(self.value) })
    }
  }

  /// A property whose value is what `transform` makes of this one's and another's. See `mapped`.
  @inlinable
  public func combined<Other: PropertyProtocol, T: Sendable>(
    with other: Other, distinct: Bool = false,
    _ transform: @escaping @Sendable (Value, Other.Value) -> T
  ) -> DerivedProperty<T> {
    combine(self, other, distinct: distinct, transform: transform)
  }

  /// The value before and the value after, for each change from now on. RAC:
  /// -rac_valuesAndChangesForKeyPath:options:observer:.
  @inlinable
  public var changes: Signal<(Value, Value)> {
    let node = PropertyNode(self)
    let both: Signal<(Value, Value)> = withExtendedLifetime(node) {
      Signal(adopting: rac_property_changes(node.pointer))
    }
    let changes: Signal<(Value, Value)> = both.derive {
      rac_signal_reduce_each(
        $0, reducingBoth { (before: Value, after: Value) in (before, after) }.passed,
        ReduceEachContext.call, ReduceEachContext.release)
    }
    return node.derived.map { keeping($0, changes) } ?? changes
  }
}

/// A property as the engine has it.
@usableFromInline
struct PropertyNode: Sendable {
  @usableFromInline nonisolated(unsafe) let pointer: OpaquePointer?
  /// A derived property, which is kept where others are not.
  @usableFromInline let derived: (any AnyObject & Sendable)?
  /// Keeps the pointer valid.
  private let owner: (any AnyObject & Sendable)?

  @usableFromInline
  init<P: PropertyProtocol>(_ property: P) {
    if let made = (property as? Lens<P.Value>)?.part ?? property as? DerivedProperty<P.Value> {
      (pointer, derived, owner) = (made.pointer, made, nil)
    } else {
      let signal = property.signal
      (pointer, derived, owner) = (signal.pointer, nil, signal.owner)
    }
  }
}

/// The property that the engine makes of several.
@usableFromInline
func combined<T>(
  _ nodes: [PropertyNode], _ distinct: Bool, _ context: ReduceEachContext,
  otherwise: @escaping @Sendable () -> T
) -> DerivedProperty<T> {
  withExtendedLifetime(nodes) {
    DerivedProperty(
      adopting: rac_property_combine_latest(
        nodes.map(\.pointer), nodes.count, propertyOptions(distinct), context.passed,
        ReduceEachContext.call, ReduceEachContext.release),
      keeping: nodes.map(\.derived), otherwise: otherwise)
  }
}

/// A property whose value is what `transform` makes of those of any number of properties of one
/// type. Of none it has the value that `transform` makes of nothing, and completes at once.
///
///     let total = combine(prices) { $0.reduce(0, +) }
///
/// - Parameters:
///   - properties: any number of one type.
///   - distinct: whether a change that gives an equal value is none.
///   - transform: makes a value of theirs, which are in the order of the properties.
public func combine<P: PropertyProtocol, T: Sendable>(
  _ properties: [P], distinct: Bool = false,
  transform: @escaping @Sendable ([P.Value]) -> T
) -> DerivedProperty<T> {
  if properties.isEmpty { return Property(()).mapped { transform([]) } }
  let context = ReduceEachContext { values, count, out in
    answering(out) { transform(try (0..<count).map { try decoded(values[$0]) }) }
  }
  return combined(properties.map { PropertyNode($0) }, distinct, context) {
    transform(properties.map(\.value))
  }
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
