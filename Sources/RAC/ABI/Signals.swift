/// A signal that runs a callback for each subscriber.
///
///     callback sends 1 2 |
///     create         12|
///
/// The callback sends through the subscriber it is lent, at once or later, from any thread. To send
/// after it has returned it must rac_retain() the subscriber; dropping the last reference before an end
/// was sent ends the subscription silently.
///
/// - Parameter context: passed to the callbacks.
/// - Parameter subscribe: runs for each subscription, on the subscription scheduler.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL. RAC: +createSignal:. Since: 0.1
@_cdecl("rac_signal_create")
public func rac_signal_create(
  _ context: CContext?, _ subscribe: rac_subscribe_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_create") else { return nil }
  guard let subscribe else {
    return Border.fail(Status.null, "rac_signal_create", "subscribe is NULL")
  }
  return Border.give("rac_signal_create") {
    CreatedSignal(context, subscribe).named("createSignal:")
  }
}

/// A signal that completes at once.
///
///     empty |
///
/// - Returns: one reference. RAC: +empty. Since: 0.1
@_cdecl("rac_signal_empty")
public func rac_signal_empty() -> CSignal? {
  Border.give("rac_signal_empty") { EmptySignal().named("empty") }
}

/// A signal that sends one value and completes.
///
///     return 1 1|
///
/// - Parameter value: borrowed; the signal retains it. nil is a value.
/// - Returns: one reference; NULL with RAC_EKIND, RAC_EUTF8 or RAC_ENOMEM. RAC: +return:. Since: 0.1
@_cdecl("rac_signal_return")
public func rac_signal_return(_ value: rac_value) -> CSignal? {
  Border.take(value, "rac_signal_return", otherwise: Border.none) { value in
    Border.give("rac_signal_return") { ReturnSignal(value).named("return:") }
  }
}

/// A signal that fails at once.
///
///     error X
///
/// - Parameter error: borrowed; an error or nil.
/// - Returns: one reference; NULL with RAC_EKIND. RAC: +error:. Since: 0.1
@_cdecl("rac_signal_error")
public func rac_signal_error(_ error: rac_value) -> CSignal? {
  Border.takeError(error, "rac_signal_error", otherwise: Border.none) { error in
    Border.give("rac_signal_error") { ErrorSignal(error).named("error:") }
  }
}

/// A signal that sends nothing, ever.
///
///     never ------------
///
/// As nobody can send to its subscribers, a subscription to it alone is let go, and its destroy runs,
/// before rac_subscribe() returns.
///
/// - Returns: one reference. RAC: +never. Since: 0.1
@_cdecl("rac_signal_never")
public func rac_signal_never() -> CSignal? {
  Border.give("rac_signal_never") { NeverSignal().named("never") }
}

/// A signal that is made anew for each subscriber.
///
///     factory makes --1--2--|
///     defer         --1--2--|
///
/// - Parameter context: passed to the callbacks.
/// - Parameter factory: makes the signal to subscribe to; its result is transferred.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL. RAC: +defer:. Since: 0.1
@_cdecl("rac_signal_defer")
public func rac_signal_defer(
  _ context: CContext?, _ factory: rac_defer_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_defer") else { return nil }
  guard let factory else { return Border.fail(Status.null, "rac_signal_defer", "factory is NULL") }
  return Border.give("rac_signal_defer") { Signal.deferred(context, factory) }
}

/// A signal that sends one value, made by a callback for each subscriber, and completes.
///
///     factory writes 1
///     from_factory   1|
///
/// - Parameter context: passed to the callbacks.
/// - Parameter factory: writes an owned value to `*out`; its failure becomes the stream's error.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL. RAC: +try:. Since: 0.1
@_cdecl("rac_signal_from_factory")
public func rac_signal_from_factory(
  _ context: CContext?, _ factory: rac_factory_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  let function: StaticString = "rac_signal_from_factory"
  guard let context = Border.context(context, destroy, function) else { return nil }
  guard let factory else { return Border.fail(Status.null, function, "factory is NULL") }
  return Border.give(function) { Signal.made(context, by: factory) }
}

/// A signal that sends the values of an array and completes.
///
///     from_values 123|
///
/// - Parameter values: borrowed; the signal retains them. NULL is allowed with count 0.
/// - Parameter count: how many.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_EKIND, RAC_EUTF8 or RAC_ENOMEM.
///   RAC: -rac_sequence.signal. Since: 0.1
@_cdecl("rac_signal_from_values")
public func rac_signal_from_values(_ values: UnsafePointer<rac_value>?, _ count: CSize) -> CSignal?
{
  let tuple = Border.tuple(values, count, "rac_signal_from_values")
  if tuple.isNull { return nil }
  defer { tuple.release() }
  return Border.give("rac_signal_from_values") { ValuesSignal(tuple).named("signal") }
}

/// Runs a callback once, now, on a scheduler, and replays what it sends to every subscriber.
///
///     callback     --1--2--|
///     subscriber A --1--2--|
///     subscriber B       12|   (came later)
///
/// Subscribers do not cancel the callback when they dispose.
///
/// - Parameter scheduler: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter start: sends through the subscriber it is lent; retain it to send later.
/// - Parameter destroy: runs when nothing can call `start` any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +startEagerlyWithScheduler:block:. Since: 0.1
@_cdecl("rac_signal_start_eagerly")
public func rac_signal_start_eagerly(
  _ scheduler: CScheduler?, _ context: CContext?, _ start: rac_start_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  started(scheduler, context, start, destroy, "rac_signal_start_eagerly") {
    Signal.startEagerly($0, $1)
  }
}

/// Like rac_signal_start_eagerly(), but the callback runs at the first subscription.
///
///     subscriber A    --1--2--|   (starts the callback)
///     subscriber B          12|
///
/// - Parameter scheduler: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter start: sends through the subscriber it is lent; retain it to send later.
/// - Parameter destroy: runs when nothing can call `start` any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +startLazilyWithScheduler:block:. Since: 0.1
@_cdecl("rac_signal_start_lazily")
public func rac_signal_start_lazily(
  _ scheduler: CScheduler?, _ context: CContext?, _ start: rac_start_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  started(scheduler, context, start, destroy, "rac_signal_start_lazily") {
    Signal.startLazily($0, $1)
  }
}

/// A signal that counts: 0, 1, 2, … every `seconds`, the first after `seconds`, for ever.
///
///     interval 3 ---0--1--2--3--
///
/// - Parameter scheduler: borrowed; sends there. Not the immediate one.
/// - Parameter seconds: greater than 0.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +interval:onScheduler: (which sends dates). Since: 0.1
@_cdecl("rac_signal_interval")
public func rac_signal_interval(_ scheduler: CScheduler?, _ seconds: Double) -> CSignal? {
  interval(scheduler, seconds, 0, "rac_signal_interval")
}

/// rac_signal_interval() whose values may each be late, so that those of several intervals fall
/// together and wake the processor once.
///
///     interval 3       ---0--1--2--3--
///     with leeway of 1 ---0---1--2---3-
///
/// - Parameter scheduler: borrowed; sends there. Not the immediate one.
/// - Parameter seconds: greater than 0.
/// - Parameter leeway: seconds by which a value may be late, 0 or more. Not used by virtual schedulers,
///   which are exact.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +interval:onScheduler:withLeeway:. Since: 0.1
@_cdecl("rac_signal_interval_with_leeway")
public func rac_signal_interval_with_leeway(
  _ scheduler: CScheduler?, _ seconds: Double, _ leeway: Double
) -> CSignal? {
  interval(scheduler, seconds, leeway, "rac_signal_interval_with_leeway")
}

private func interval(
  _ scheduler: CScheduler?, _ seconds: Double, _ leeway: Double, _ function: StaticString
) -> CSignal? {
  guard let interval = Border.duration(seconds, function),
    let leeway = Border.duration(leeway, function)
  else { return nil }
  guard interval > 0 else { return Border.fail(Status.invalid, function, "the interval is zero") }
  guard let scheduler = Border.timedScheduler(scheduler, function) else { return nil }
  return Border.give(function) { Signal.interval(interval, leeway: leeway, scheduler) }
}

private func started(
  _ scheduler: CScheduler?, _ context: CContext?, _ start: rac_start_fn?,
  _ destroy: rac_destroy_fn?, _ function: StaticString, _ make: (Scheduler, Signal) -> Signal
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_interval_with_leeway") else {
    return nil
  }
  guard let start else { return Border.fail(Status.null, function, "start is NULL") }
  guard let scheduler = Border.scheduler(scheduler, function),
    Border.isServed(scheduler, function)
  else { return nil }
  return Border.give(function) { make(scheduler, StartedSignal(context, start)) }
}
