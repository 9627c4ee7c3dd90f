import CRACShims

/// A property.
///
/// - Parameter initial: borrowed; the first value.
/// - Parameter options: RAC_PROPERTY_PLAIN: every set is a change, as with key-value observing;
///   RAC_PROPERTY_DISTINCT: a set to an equal value is none, and sends nothing.
/// - Returns: one reference; when the last one goes the property's signals complete, also while it
///   has subscribers or bindings. NULL with RAC_EINVAL (unknown options), RAC_EKIND, RAC_EUTF8 or
///   RAC_ENOMEM. RAC: a key path of an object. Since: 0.1
@c public func rac_property_create(_ initial: rac_value, _ options: Int32) -> CProperty? {
  create(initial, options, nil)
}

/// A property for which at most so many modifications wait as a bound says: those that come while
/// another change is being delivered, by another thread or from inside a callback.
///
/// rac_property_modify() answers, besides what it does without a bound: with RAC_BOUND_REFUSE
/// RAC_EAGAIN when there is no room; with RAC_BOUND_WAIT, after waiting, RAC_ETIMEDOUT, and inside
/// a callback RAC_EDEADLK in place of waiting. `transform` is not called then. A set needs no room:
/// while it waits, the next one takes its place.
///
/// A batch comes in with its first modification of a property that has a bound, which waits or is
/// refused like any other; later ones of that batch are taken. They count until the batch is made.
///
/// - Parameter initial: borrowed; the first value.
/// - Parameter options: as for rac_property_create().
/// - Parameter bound: borrowed, retained. NULL, and RAC_BOUND_NONE: without a bound.
/// - Returns: as rac_property_create(); NULL also with RAC_EINVAL for a bound that drops, keeps the
///   latest or makes an error, as no modification is left out; RAC_ENULL, RAC_ESTALE. Since: 0.1
@c public func rac_property_create_bounded(
  _ initial: rac_value, _ options: Int32, _ bound: CBound?
) -> CProperty? {
  guard let bound = Border.bound(bound) else { return nil }
  guard bound?.holdsSendersBack ?? true else {
    bound?.takeBack()
    return Border.fail(
      Status.invalid,
      "no modification is left out: a property takes RAC_BOUND_WAIT or RAC_BOUND_REFUSE")
  }
  return create(initial, options, bound)
}

private func create(
  _ initial: rac_value, _ options: Int32, _ bound: Bound?, _ function: StaticString = #function
) -> CProperty? {
  guard let isDistinct = isDistinct(options, function) else { return nil }
  guard let initial = Border.kept(initial, function) else { return nil }
  let property = giveProperty(function) {
    MutablePropertyCore(initial, isDistinct: isDistinct, bound: bound)
  }
  if property == nil { initial.release() }
  return property
}

/// The current value.
///
/// Never waits, also while other threads set the property, and never sees a mixture of two values.
/// After rac_close() it is the last one that there was. Inside a batch of this thread it is the
/// value that the batch has set; of a derived property it is the result of its callback for that;
/// of a property that is bound both ways to one that the batch has set it is the value from before.
///
/// - Parameter property: borrowed.
/// - Parameter out: gets the value, which the caller owns; nil when this fails.
/// - Returns: RAC_OK; RAC_ENULL, RAC_ESTALE, RAC_EKIND; RAC_EUSER when the `get` callback of an
///   adapter failed; RAC_ECLOSED where it is not called any more. Any thread, also inside a
///   callback. RAC: -valueForKeyPath:. Since: 0.1
@discardableResult
@c public func rac_property_get(_ property: CProperty?, _ out: COut<rac_value>?) -> rac_status {
  guard let out else { return Failure.record(Status.null, "out is NULL") }
  out.pointee = .null
  return Property.read(property, out)
}

/// Sets the value and sends it to the subscribers. Inside a batch of this thread: when that ends.
///
/// Of sets that wait for their turn the last counts, and nobody hears the others.
///
/// - Parameter property: borrowed.
/// - Parameter value: borrowed.
/// - Returns: RAC_OK when it was set and delivered, or was equal and the property is
///   RAC_PROPERTY_DISTINCT; RAC_QUEUED when others are delivering, or this thread's stack is too
///   short, and it is set in its turn, or when it was set, and a property that is derived from this
///   one or bound to it both ways gets it in its turn; RAC_ENULL, RAC_ESTALE, RAC_EUTF8,
///   RAC_ENOMEM; RAC_EKIND for no property, a value that is not sound, and a property that is
///   read-only; the failing status of the `set` callback of an adapter: of one that is bound to
///   this property both ways, too, where this one has the value nevertheless. Any thread, also
///   inside a callback. RAC: -setValue:forKeyPath:. Since: 0.1
@discardableResult
@c public func rac_property_set(_ property: CProperty?, _ value: rac_value) -> rac_status {
  Sending.next(property, value, .property)
}

/// Sets the value to what a callback makes of the current one, with no other set in between.
///
/// Inside a batch of this thread `transform` runs at once, and once more as the batch ends if
/// another thread has changed the property since.
///
/// - Parameter property: borrowed.
/// - Parameter context: passed to the callbacks, one at a time.
/// - Parameter transform: gets the current value and writes the next one to `*out`; a failing
///   status leaves the value as it is.
/// - Parameter destroy: runs once, after the last call of `transform` or instead of any; may be
///   NULL.
/// - Returns: as rac_property_set(); RAC_QUEUED when others are delivering and `transform` runs in
///   its turn; the failing status of `transform`; what rac_property_create_bounded() names. May
///   block, with RAC_BOUND_WAIT. Any thread, also inside a callback. Since: 0.1
@discardableResult
@c public func rac_property_modify(
  _ property: CProperty?, _ context: CContext?, _ transform: rac_map_fn?,
  _ destroy: rac_destroy_fn?
) -> rac_status {
  guard let context = Border.context(context, destroy) else { return Border.refused() }
  guard let transform else { return Failure.record(Status.null, "transform is NULL") }
  return Border.check(property, .property, as: Property.self) {
    Sending.modify($0, context, transform)
  }
}

/// The property as a signal: the current value to each new subscriber, then every change. Completes
/// when the last reference to the property is released.
///
/// Subscribing happens at once on every thread. While another thread is delivering, the current
/// value comes in its turn.
///
/// - Parameter property: borrowed.
/// - Returns: lent: the same handle, valid as long as the property's. Retaining it is retaining the
///   property, whose signals do not complete until that reference is released as well; signals made
///   of it keep no reference, and complete. NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC:
///   RACObserve. Since: 0.1
@c public func rac_property_as_signal(_ property: CProperty?) -> CSignal? {
  Border.same(property, .property)
}

/// A signal of changes: a tuple of the value before and the value after for each change from now
/// on. Completes when the last reference to the property is released.
///
/// - Parameter property: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -rac_valuesAndChangesForKeyPath:options:observer:. Since: 0.1
@c public func rac_property_changes(_ property: CProperty?) -> CSignal? {
  Border.use(property, .property, as: Property.self) { property in
    Border.give { property.changes() }
  }
}

/// Sets a property to each value of a signal, until the signal ends, the property goes, or the
/// binding is disposed. The binding keeps neither of them.
///
/// An error of the signal ends the binding and goes to the function of rac_set_unhandled_error().
/// The property keeps the last value.
///
/// A property that is bound to a signal made from itself, or two that are bound to each other like
/// this, set themselves for ever, unless one is RAC_PROPERTY_DISTINCT and its value stops changing.
/// After at most 1024 rounds the call returns, and the next sender or a thread of the library goes
/// on, until the binding is disposed or the property's last reference goes. To keep two properties
/// equal use rac_property_bind_two_way().
///
/// - Parameter property: borrowed.
/// - Parameter signal: borrowed.
/// - Parameter nil_value: borrowed; set in place of nil. nil for nil itself.
/// - Returns: one reference to the disposable that ends the binding; NULL with RAC_EBUSY when the
///   property is bound already, RAC_EINVAL for the property's own signal, RAC_EKIND also when it is
///   read-only, RAC_ENULL, RAC_ESTALE, RAC_EUTF8, RAC_ENOMEM. RAC: RAC(),
///   -setKeyPath:onObject:nilValue:. Since: 0.1
@c public func rac_property_bind(
  _ property: CProperty?, _ signal: CSignal?, _ nil_value: rac_value
) -> CDisposable? {
  if Border.isBrokenChain(signal) { return nil }
  guard Border.isReady(), let nilValue = Border.kept(nil_value) else { return nil }
  defer { nilValue.release() }
  return withWritable(property) { property in
    guard let signal = Border.signal(signal) else { return nil }
    // It would set itself for ever.
    if signal === property {
      return Border.fail(Status.invalid, "a property cannot be bound to itself")
    }
    if Border.lacksRoom(for: signal) { return nil }
    guard let scope = property.bind(signal, nilValue: nilValue) else {
      return Border.fail(Status.busy, "the property is bound already")
    }
    return Border.given(Handles.make(scope, .plainDisposable))
  }
}

/// A property whose value is kept elsewhere: a field of a struct of yours, say. It is observed when
/// it is set through the property.
///
/// - Parameter context: passed to the callbacks.
/// - Parameter options: as for rac_property_create().
/// - Parameter get: writes the value, owned, to `*out`. Runs whenever the value is wanted, on the
///   thread that wants it, perhaps while another one runs `set`: guard data that several threads
///   use. Called once now.
/// - Parameter set: stores the value it is lent, or refuses it with a failing status. No two run at
///   the same time. Subscribers get the value that `get` then writes. NULL for a property that is
///   read-only.
/// - Parameter destroy: runs when nothing can call them any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_EINVAL (unknown options), or RAC_EUSER when
///   `get` fails now. RAC: key-value coding. Since: 0.1
@c public func rac_property_create_adapter(
  _ options: Int32, _ context: CContext?, _ get: rac_factory_fn?, _ set: rac_try_fn?,
  _ destroy: rac_destroy_fn?
) -> CProperty? {
  guard let context = Border.context(context, destroy) else { return nil }
  guard let get else { return Border.fail(Status.null, "get is NULL") }
  guard let isDistinct = isDistinct(options) else { return nil }
  return giveProperty {
    let core = Property.adapter(context, isDistinct: isDistinct, get: get, set: set)
    if core == nil { Failure.record(Status.user, "the get callback failed") }
    return core
  }
}

/// A read-only property whose value a callback makes of another property's.
///
/// - Parameter property: borrowed. When its last reference goes the derived property's signal
///   completes, and its value stays.
/// - Parameter options: as for rac_property_create().
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: runs now and then once for each change, however many subscribe; and where
///   a batch reads the property, or something is derived from it during the turn in which it was
///   made, on that thread. If it fails later, subscribers get the error and the value stays as it
///   is.
/// - Parameter destroy: runs when nothing can call `transform` any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND, RAC_EINVAL (unknown
///   options), or the failing status of `transform`. RAC: RAC(target, key) = [RACObserve(…) map:…].
///   Since: 0.1
@c public func rac_property_map(
  _ property: CProperty?, _ options: Int32, _ context: CContext?, _ transform: rac_map_fn?,
  _ destroy: rac_destroy_fn?
) -> CProperty? {
  guard let context = Border.context(context, destroy) else { return nil }
  guard let transform else { return Border.fail(Status.null, "transform is NULL") }
  return withUnsafePointer(to: property) { derived($0, 1, options, context, .map(transform)) }
}

/// A read-only property whose value a callback makes of the values of several.
///
/// - Parameter properties: borrowed, as are the elements; the derived property's signal completes
///   when one of them goes, and its value stays.
/// - Parameter count: at least 1.
/// - Parameter options: as for rac_property_create().
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: runs now and then once for each change of one of them, however many
///   subscribe; and where a batch reads the property, or something is derived from it during the
///   turn in which it was made, on that thread. If it fails later, subscribers get the error and
///   the value stays as it is.
/// - Parameter destroy: runs when nothing can call `reduce` any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND, RAC_EINVAL (no properties,
///   unknown options), RAC_ENOMEM, or the failing status of `reduce`. RAC: RAC(target, key) =
///   [RACSignal combineLatest:reduce:]. Since: 0.1
@c public func rac_property_combine_latest(
  _ properties: CList<CProperty?>?, _ count: CSize, _ options: Int32,
  _ context: CContext?, _ reduce: rac_reduce_each_fn?, _ destroy: rac_destroy_fn?
) -> CProperty? {
  guard let context = Border.context(context, destroy) else { return nil }
  guard let reduce else { return Border.fail(Status.null, "reduce is NULL") }
  return derived(properties, count, options, context, .reduce(reduce))
}

private func derived(
  _ properties: UnsafePointer<CProperty?>?, _ count: CSize, _ options: Int32, _ context: Context,
  _ derivation: Derivation, _ function: StaticString = #function
) -> CProperty? {
  guard let isDistinct = isDistinct(options, function) else { return nil }
  if count == 0 { return Border.fail(Status.invalid, "there are no properties", in: function) }
  guard
    let sources = Border.objects(properties, count, .property, as: Property.self, function)
  else { return nil }
  return giveProperty(function, from: sources) {
    var status = Status.ok
    let core = PropertyCore.derived(
      sources.map { $0.core }, isDistinct: isDistinct, context, derivation, &status)
    if core == nil { Failure.record(status, "the callback failed", in: function) }
    return core
  }
}

private func isDistinct(_ options: Int32, _ function: StaticString = #function) -> Bool? {
  switch options {
  case RAC_PROPERTY_PLAIN: return false
  case RAC_PROPERTY_DISTINCT: return true
  default: break
  }
  return Border.none(Failure.record(Status.invalid, "an option is unknown", in: function))
}

/// Calls with a property that can be set.
func withWritable(
  _ property: CProperty?, _ function: StaticString = #function, _ body: (Property) -> OpaquePointer?
) -> OpaquePointer? {
  Border.use(property, .property, as: Property.self, function) {
    if $0.core.isReadOnly {
      return Border.fail(Status.kind, "the property is read-only", in: function)
    }
    return body($0)
  }
}

/// A property for the caller, one reference. Called when memory is known to be there, as `make` may
/// take values over.
private func giveProperty(
  _ function: StaticString = #function, from sources: [Property] = [],
  _ make: () -> PropertyCore?
) -> CProperty? {
  guard Border.isReady(function) else { return nil }
  guard let core = make() else { return Border.none(Status.user) }
  let property = Property(core).named("property")
  if rac_recording_is_on() { property.recordMaking(from: sources) }
  return Border.given(property.makeHandle())
}
