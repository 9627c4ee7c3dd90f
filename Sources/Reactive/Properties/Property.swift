import CRAC

/// A value that is set and observed.
///
///     let name = Property("")
///     let greeting = name.mapped { "Hello, \($0)!" }
///     greeting.observe { print($0) }   // Hello, !
///     name.value = "Ada"               // Hello, Ada!
///
/// Observing begins with the current value, then sends every change; it completes when the last
/// reference to the property goes. Any thread may read and set.
///
/// RAC: a key path of an object. ReactiveSwift: MutableProperty.
public final class Property<Value: Sendable>: MutablePropertyProtocol {
  @usableFromInline nonisolated(unsafe) let pointer: OpaquePointer?

  /// What `value` is when the engine has none: `get` of one whose value is kept elsewhere, and the
  /// initial value where there was no property to be made.
  @usableFromInline let otherwise: (@Sendable () -> Value)?

  /// Modifications wait for room.
  @usableFromInline let waits: Bool

  @usableFromInline let tracker = LazyTracker()

  @usableFromInline
  init(
    adopting pointer: OpaquePointer?, otherwise: (@Sendable () -> Value)?, waits: Bool = false
  ) {
    self.pointer = pointer
    self.otherwise = otherwise
    self.waits = waits
  }

  /// - Parameters:
  ///   - initial: its first value.
  ///   - distinct: whether a set to an equal value is none, and sends nothing.
  @inlinable
  public convenience init(_ initial: Value, distinct: Bool = false) {
    let made = withEncoded(initial) { rac_property_create($0, propertyOptions(distinct)) }
    let first: (@Sendable () -> Value)? = if made == nil { { initial } } else { nil }
    self.init(adopting: made, otherwise: first)
  }

  /// A property for which at most so many modifications wait as a bound says, `.wait` or `.refuse`:
  /// those that come while another change is being delivered. A set needs no room: while it waits,
  /// the next one takes its place.
  ///
  ///     let count = try Property(0, bound: Bound(64, .refuse))
  ///     if count.modify({ $0 += 1 }) == .full { comeBackLater() }
  ///
  /// - Throws: an `EngineError` for another policy, since no modification is left out.
  public convenience init(_ initial: Value, distinct: Bool = false, bound: Bound) throws {
    let made = withExtendedLifetime(bound) {
      withEncoded(initial) {
        rac_property_create_bounded($0, propertyOptions(distinct), bound.pointer)
      }
    }
    guard let made else { throw EngineError.latest() }
    self.init(adopting: made, otherwise: nil, waits: bound.waits)
  }

  /// A property whose value is kept elsewhere. It is observed when it is set through the property.
  ///
  /// - Parameter get: runs whenever the value is wanted, on the thread that wants it, perhaps while
  ///   another one runs `set`: guard what several threads use.
  /// - Parameter set: stores the value, or refuses it by throwing. No two run at the same time.
  public convenience init(
    get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) throws -> Void
  ) {
    let context = AdapterContext(
      { out in
        out.pointee = encode(get())
        return 0
      },
      { value in
        guard let value: Value = decode(value) else { return raiseMismatch(value, Value.self) }
        do {
          try set(value)
          return 0
        } catch {
          return raise(error)
        }
      })
    self.init(
      adopting: rac_property_create_adapter(
        0, context.passed, AdapterContext.get, AdapterContext.set, AdapterContext.release),
      otherwise: get)
  }

  @inlinable
  deinit { rac_release(UnsafeMutableRawPointer(pointer)) }

  /// The current value, then every change; completes when the last reference to the property goes.
  @inlinable
  public var signal: Signal<Value> {
    Signal(withExtendedLifetime(self) { rac_property_as_signal(pointer) }, heldBy: self)
  }

  /// The current value. Reading waits for nobody; all observers hear the sets in one order.
  ///
  /// A change in place, as in `count.value += 1`, is a read and a set: it overwrites a set by
  /// another thread in between. Where several threads change one value, write `count += 1`, or
  /// `modify`. No accessor could do that: it would hold a lock while your code runs, and two
  /// threads that `swap` two properties would wait for each other.
  @inlinable
  public var value: Value {
    get { withExtendedLifetime(self) { read(pointer, otherwise) } }
    set { set(newValue) }
  }

  /// The current value, read so that Observation hears of changes.
  @inlinable
  public var tracked: Value {
    if !tracker.read() { tracker.begin(signal) }
    return value
  }

  /// Sets the value, and says what became of it.
  @inlinable @discardableResult
  public func set(_ value: Value) -> SendResult {
    withExtendedLifetime(self) {
      SendResult(rawValue: withEncoded(value) { rac_property_set(pointer, $0) })
    }
  }

  /// Changes the value, with no other set in between. `change` runs now, or where others are
  /// setting just now, in its turn. In a batch it runs now, and again at the end if another thread
  /// has changed the value since.
  ///
  ///     count.modify { $0 += 1 }
  ///
  /// `change` works on a copy, since others may read the value from before meanwhile, and wait for
  /// nobody: a large array or string is copied once for each call. Make many changes in one.
  @inlinable @discardableResult
  public func modify(_ change: @escaping @Sendable (inout Value) -> Void) -> SendResult {
    let context = mapping { (value: Value) in
      var value = value
      change(&value)
      return value
    }
    let modify = {
      rac_property_modify(self.pointer, context.passed, MapContext.call, MapContext.release)
    }
    return withExtendedLifetime(self) {
      SendResult(rawValue: waits ? unlessWaiting(modify) : modify())
    }
  }
}

/// A property whose value is made of others': `mapped`, `combined`.
///
/// It stays as long as somebody has it, observes it or made another one of it; it ends with those
/// it is made of.
public final class DerivedProperty<Value: Sendable>: PropertyProtocol {
  @usableFromInline nonisolated(unsafe) let pointer: OpaquePointer?
  private let sources: [any AnyObject & Sendable]
  /// What `value` is where there was no property to be made.
  @usableFromInline let otherwise: (@Sendable () -> Value)?
  @usableFromInline let tracker = LazyTracker()

  @usableFromInline
  init(
    adopting pointer: OpaquePointer?, keeping sources: [(any AnyObject & Sendable)?],
    otherwise: @escaping @Sendable () -> Value
  ) {
    self.pointer = pointer
    self.sources = sources.compactMap(\.self)
    self.otherwise = pointer == nil ? otherwise : nil
  }

  deinit { rac_release(UnsafeMutableRawPointer(pointer)) }

  /// The current value, then every change; completes when one of those goes that it is made of.
  public var signal: Signal<Value> { keeping(self, unkept) }

  /// As the engine has it: an observer does not keep the property.
  @usableFromInline var unkept: Signal<Value> {
    Signal(withExtendedLifetime(self) { rac_property_as_signal(pointer) }, heldBy: self)
  }

  /// The current value.
  @inlinable
  public var value: Value { withExtendedLifetime(self) { read(pointer, otherwise) } }

  /// The current value, read so that Observation hears of changes.
  @inlinable
  public var tracked: Value {
    if !tracker.read() { tracker.begin(unkept) }
    return value
  }
}

/// A signal whose observers keep a derived property. That is no cycle that stays: they are let go
/// of with the properties that it is made of, which nobody here keeps.
@usableFromInline
func keeping<T: Sendable>(_ property: any AnyObject & Sendable, _ signal: Signal<T>) -> Signal<T> {
  let property = Kept(property)
  return .using({ property }, release: { _ in }, { _ in signal })
}

/// Any object, as a type that the engine can carry.
private final class Kept: Sendable {
  let object: any AnyObject & Sendable
  init(_ object: any AnyObject & Sendable) { self.object = object }
}

final class AdapterContext: Context, @unchecked Sendable {
  let getBody: FactoryContext.Body
  let setBody: TryContext.Body

  init(_ get: @escaping FactoryContext.Body, _ set: @escaping TryContext.Body) {
    getBody = get
    setBody = set
    super.init()
  }

  static var get: rac_factory_fn {
    { context, out in context.with(AdapterContext.self) { $0.getBody(out.unsafelyUnwrapped) } }
  }

  static var set: rac_try_fn {
    { context, value in context.with(AdapterContext.self) { $0.setBody(value) } }
  }
}
