// Section: 18 Properties
// A property is a value that can be observed: any thread reads it and sets it, and its signal sends the
// current value to each new subscriber and then every change. A signal can be bound to it.

/// A property.
///
/// - Parameter initial: borrowed; the first value.
/// - Parameter options: RAC_PROPERTY_PLAIN: every set is a change, as with key-value observing;
///   RAC_PROPERTY_DISTINCT: a set to an equal value is none, and sends nothing.
/// - Returns: one reference; when the last one goes the property's signals complete, whatever subscribes
///   or is bound to it. NULL with RAC_EINVAL (unknown options), RAC_EKIND, RAC_EUTF8 or RAC_ENOMEM.
///   RAC: a key path of an object. Since: 0.1
@_cdecl("rac_property_create")
public func rac_property_create(_ initial: rac_value, _ options: UInt32) -> CProperty? {
  let function: StaticString = "rac_property_create"
  guard options <= 1 else {
    return Border.fail(Status.invalid, function, "an option is unknown")
  }
  guard let initial = Border.kept(initial, function) else { return nil }
  return giveProperty(function) { PropertyCore(initial, isDistinct: options == 1) }
}

/// The current value.
///
/// Never waits, whoever is setting at the same time, and sees one value as it was set.
///
/// - Parameter property: borrowed.
/// - Parameter out: gets the value, which the caller owns; nil when this fails.
/// - Returns: RAC_OK; RAC_ENULL, RAC_ESTALE, RAC_EKIND; RAC_EUSER when the `get` callback of an adapter
///   failed. Any thread, also inside a callback. RAC: -valueForKeyPath:. Since: 0.1
@discardableResult
@_cdecl("rac_property_get")
public func rac_property_get(_ property: CProperty?, _ out: UnsafeMutablePointer<rac_value>?)
  -> rac_status
{
  guard let out else {
    return Failure.record(Status.null, "rac_property_get", "out is NULL")
  }
  out.pointee = .null
  return Property.read(property, out, "rac_property_get")
}

/// Sets the value and sends it to the subscribers.
///
/// - Parameter property: borrowed.
/// - Parameter value: borrowed.
/// - Returns: RAC_OK when it was set and delivered, or was equal and the property is RAC_PROPERTY_DISTINCT;
///   RAC_QUEUED when others are delivering and it is set in its turn; RAC_ENULL, RAC_ESTALE, RAC_EUTF8,
///   RAC_ENOMEM; RAC_EKIND for no property, a value that is not sound, and a property that is
///   read-only; what the `set` callback of an adapter answered. Any thread, also inside a callback.
///   RAC: -setValue:forKeyPath:. Since: 0.1
@discardableResult
@_cdecl("rac_property_set")
public func rac_property_set(_ property: CProperty?, _ value: rac_value) -> rac_status {
  Sending.next(property, .property, value, "rac_property_set")
}

/// Sets the value to what a callback makes of the current one, with no other set in between.
///
/// - Parameter property: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: gets the current value and writes the next one to `*out`; a failing status leaves
///   the value as it is.
/// - Parameter destroy: runs once, after the call of `transform` or instead of it; may be NULL.
/// - Returns: as rac_property_set(); RAC_QUEUED when others are delivering and `transform` runs in its turn;
///   the failing status of `transform`. Any thread, also inside a callback. Since: 0.1
@discardableResult
@_cdecl("rac_property_modify")
public func rac_property_modify(
  _ property: CProperty?, _ context: CContext?, _ transform: rac_map_fn?,
  _ destroy: rac_destroy_fn?
) -> rac_status {
  let function: StaticString = "rac_property_modify"
  let context = Context(context, destroy)
  guard let transform else { return Failure.record(Status.null, function, "transform is NULL") }
  return Border.check(property, .property, as: Property.self, function) {
    let status = $0.modify(context, transform)
    return status < 0 ? Failure.record(status, function, "the value was not changed") : status
  }
}

/// The property as a signal: the current value to each new subscriber, then every change. Completes when
/// the last reference to the property is released.
///
/// Subscribing happens at once on every thread. While another thread is delivering, the current value
/// comes in its turn.
///
/// - Parameter property: borrowed.
/// - Returns: lent: the same handle, valid as long as the property's; what is made of it lives on, and
///   completes. NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: RACObserve. Since: 0.1
@_cdecl("rac_property_as_signal")
public func rac_property_as_signal(_ property: CProperty?) -> CSignal? {
  Border.use(
    property, .property, as: Property.self, "rac_property_as_signal", otherwise: { _ in nil },
    { _ in property })
}

/// A signal of changes: a tuple of the value before and the value after for each change from now on.
/// Completes when the last reference to the property is released.
///
/// - Parameter property: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -rac_valuesAndChangesForKeyPath:options:observer:. Since: 0.1
@_cdecl("rac_property_changes")
public func rac_property_changes(_ property: CProperty?) -> CSignal? {
  let function: StaticString = "rac_property_changes"
  return Border.use(property, .property, as: Property.self, function, otherwise: { _ in nil }) {
    property in
    Border.give(function) { property.changes() }
  }
}

/// Sets a property to whatever a signal sends, until the signal ends, the property goes, or the binding is
/// disposed. It keeps neither of them.
///
/// An error of the signal ends the binding and is written to the log: rac_set_log(). The property keeps
/// the last value.
///
/// - Parameter property: borrowed.
/// - Parameter signal: borrowed.
/// - Parameter nil_value: borrowed; set in place of nil. nil for nil itself.
/// - Returns: one reference to the disposable that ends the binding; NULL with RAC_EBUSY when the
///   property is bound already, RAC_EKIND also when it is read-only, RAC_ENULL, RAC_ESTALE, RAC_EUTF8,
///   RAC_ENOMEM. RAC: RAC(), -setKeyPath:onObject:nilValue:. Since: 0.1
@_cdecl("rac_property_bind")
public func rac_property_bind(
  _ property: CProperty?, _ signal: CSignal?, _ nil_value: rac_value
) -> CDisposable? {
  let function: StaticString = "rac_property_bind"
  if Border.isBrokenChain(signal) { return nil }
  guard let nilValue = Border.kept(nil_value, function) else { return nil }
  defer { nilValue.release() }
  return withWritable(property, function) { property in
    guard let signal = Border.signal(signal, function) else { return nil }
    guard let scope = property.bind(signal, nilValue: nilValue) else {
      return Border.fail(Status.busy, function, "the property is bound already")
    }
    return Border.give(.plainDisposable, function) { scope }
  }
}

/// Calls with a property that can be set.
func withWritable(
  _ property: CProperty?, _ function: StaticString, _ body: (Property) -> OpaquePointer?
) -> OpaquePointer? {
  Border.use(property, .property, as: Property.self, function, otherwise: { _ in nil }) {
    if $0.core.isReadOnly {
      return Border.fail(Status.kind, function, "the property is read-only")
    }
    return body($0)
  }
}

/// A property for the caller, one reference.
func giveProperty(_ function: StaticString, _ make: () -> PropertyCore) -> CProperty? {
  if isForkedChild() {
    return Border.fail(Status.fork, function, "the library does not work in a forked child")
  }
  return Property(make()).named("property").makeHandle()
}
