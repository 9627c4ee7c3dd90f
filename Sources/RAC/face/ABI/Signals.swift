/// A signal that runs a callback for each subscriber.
///
///     create (12|)   (the callback sends 1 and 2, and completes)
///
/// The callback sends through the subscriber it is lent, at once or later, from any thread. To send
/// after it has returned it must rac_retain() the subscriber; dropping the last reference before an
/// end was sent ends the subscription silently.
///
/// - Parameter context: passed to the callbacks.
/// - Parameter subscribe: runs for each subscription, on the subscription scheduler.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL. RAC: +createSignal:. Rx: create. Since: 0.1
@c public func rac_signal_create(
  _ context: CContext?, _ subscribe: rac_subscribe_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard Border.isReady() else {
    Border.destroy(context, destroy)
    return nil
  }
  // Made in any case: with it goes the context.
  let signal = Unmanaged<Signal>.passRetained(CreatedSignal(context, subscribe, destroy))
  if subscribe == nil {
    signal.drop()
    return Border.fail(Status.null, "subscribe is NULL")
  }
  signal._withUnsafeGuaranteedRef { _ = $0.named("createSignal:") }
  return Border.give(owned: signal)
}

/// A signal that completes at once.
///
///     empty |
///
/// - Returns: one reference. RAC: +empty. Rx: empty. Since: 0.1
@c public func rac_signal_empty() -> CSignal? {
  Border.give { EmptySignal().named("empty") }
}

/// A signal that sends one value and completes.
///
///     return 1 (1|)
///
/// - Parameter value: borrowed; the signal retains it. nil is a value.
/// - Returns: one reference; NULL with RAC_EKIND, RAC_EUTF8 or RAC_ENOMEM. RAC: +return:. Rx: of.
///   Since: 0.1
@c public func rac_signal_return(_ value: rac_value) -> CSignal? {
  Border.take(value, otherwise: Border.none) { value in
    Border.give { ReturnSignal(value).named("return:") }
  }
}

/// A signal that fails at once.
///
///     error #
///
/// - Parameter error: borrowed; an error or nil.
/// - Returns: one reference; NULL with RAC_EKIND. RAC: +error:. Rx: throwError. Since: 0.1
@c public func rac_signal_error(_ error: rac_value) -> CSignal? {
  Border.takeError(error, otherwise: Border.none) { error in
    Border.give { ErrorSignal(error).named("error:") }
  }
}

/// A signal that sends nothing, ever.
///
///     never ------------
///
/// As nobody can send to its subscribers, a subscription to it alone is let go, and its destroy
/// runs, before rac_subscribe() returns.
///
/// - Returns: one reference. RAC: +never. Rx: never. Since: 0.1
@c public func rac_signal_never() -> CSignal? {
  Border.give { NeverSignal().named("never") }
}

/// A signal that sends the values of an array and completes.
///
///     from_values (123|)
///
/// - Parameter values: borrowed; the signal retains them. NULL is allowed with count 0.
/// - Parameter count: how many.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_EKIND, RAC_EUTF8 or RAC_ENOMEM.
///   RAC: -rac_sequence.signal. Rx: from. Since: 0.1
@c public func rac_signal_from_values(_ values: CList<rac_value>?, _ count: CSize) -> CSignal? {
  let tuple = Border.tuple(values, count)
  if tuple.isNull { return nil }
  defer { tuple.release() }
  return Border.give { ValuesSignal(tuple).named("signal") }
}

/// Runs a callback once, now, on a scheduler, and replays what it sends to every subscriber.
///
///     callback     --1--2------|
///     subscriber A --1--2------|
///     subscriber B       (12)--|   (came later)
///
/// Subscribers do not cancel the callback when they dispose.
///
/// - Parameter scheduler: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter start: sends through the subscriber it is lent; retain it to send later.
/// - Parameter destroy: runs when nothing can call `start` any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +startEagerlyWithScheduler:block:. Since: 0.1
@c public func rac_signal_start_eagerly(
  _ scheduler: CScheduler?, _ context: CContext?, _ start: rac_start_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  started(scheduler, context, start, destroy) { Signal.startEagerly($0, $1) }
}

/// Like rac_signal_start_eagerly(), but the callback runs at the first subscription.
///
///     callback        --1--2------|
///     subscriber A    --1--2------|   (starts the callback)
///     subscriber B          (12)--|
///
/// - Parameter scheduler: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter start: sends through the subscriber it is lent; retain it to send later.
/// - Parameter destroy: runs when nothing can call `start` any more; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +startLazilyWithScheduler:block:. Since: 0.1
@c public func rac_signal_start_lazily(
  _ scheduler: CScheduler?, _ context: CContext?, _ start: rac_start_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  started(scheduler, context, start, destroy) { Signal.startLazily($0, $1) }
}

private func started(
  _ scheduler: CScheduler?, _ context: CContext?, _ start: rac_start_fn?,
  _ destroy: rac_destroy_fn?, _ function: StaticString = #function,
  _ make: (Scheduler, Signal) -> Signal
) -> CSignal? {
  guard Border.isReady(function) else {
    Border.destroy(context, destroy)
    return nil
  }
  // Made in any case: with it goes the context.
  let source = StartedSignal(context, start, destroy)
  if start == nil { return Border.fail(Status.null, "start is NULL", in: function) }
  guard let scheduler = Border.scheduler(scheduler, function),
    Border.hasRoom(on: scheduler, function)
  else { return nil }
  return Border.give(function) { make(scheduler, source) }
}
