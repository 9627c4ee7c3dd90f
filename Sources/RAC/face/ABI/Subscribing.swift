/// Subscribes to a signal.
///
/// Where the calling thread has a current scheduler (the main thread, the library's threads,
/// attached threads) a cold signal starts before this returns; on other threads it starts on a
/// background scheduler.
///
/// - Parameter signal: borrowed; it need not be kept while the subscription lives.
/// - Parameter observer: borrowed, copied; its callbacks may be NULL in any combination. Its
///   `destroy` runs exactly once, also when this call fails (unless `observer` itself is unusable).
/// - Returns: one reference to the disposable that ends the subscription; NULL with RAC_ENULL,
///   RAC_EINVAL (wrong size), RAC_ESTALE, RAC_EKIND, or RAC_ERANGE when the calling thread's stack
///   is too short. Releasing it does not dispose it. All subscriptions that have ended already when
///   this returns may get the same one, of which no release is the last. RAC:
///   -subscribeNext:error:completed:. Since: 0.1
@c public func rac_subscribe(_ signal: CSignal?, _ observer: UnsafePointer<rac_observer>?)
  -> CDisposable?
{
  usable(observer).flatMap { subscribe(signal, $0) }
}

/// rac_subscribe() on any thread at once: a cold signal starts before this returns, where it would
/// start on a background scheduler otherwise. For a host whose threads are many, such as one that
/// runs actors or tasks.
///
/// The scheduler given is the current one while subscribing: it sends the values that operators
/// without a scheduler of their own hold back, and rac_scheduler_current() gives it inside the
/// callbacks that run meanwhile. Name one that the calling thread stands for: values delivered on
/// it may arrive at once.
///
/// - Parameter signal: borrowed; it need not be kept while the subscription lives.
/// - Parameter observer: as for rac_subscribe(): borrowed, copied.
/// - Parameter scheduler: borrowed; may be NULL: the thread's own, or the immediate one where it
///   has none, as after rac_thread_attach().
/// - Returns: as rac_subscribe(): one reference; NULL with the same errors. Any thread. Since: 0.1
@c public func rac_subscribe_inline(
  _ signal: CSignal?, _ observer: UnsafePointer<rac_observer>?, _ scheduler: CScheduler?
) -> CDisposable? {
  guard let observer = usable(observer) else { return nil }
  if scheduler == nil && Scheduler.isThereOne { return subscribe(signal, observer) }
  guard
    let current = scheduler == nil ? Scheduler.immediate : Border.scheduler(scheduler)
  else { return drop(observer) { nil } }
  return current.asCurrentHere { subscribe(signal, observer) }
}

/// Subscribes to the values of a signal.
///
/// - Parameter signal: borrowed.
/// - Parameter context: passed to the callbacks, one at a time.
/// - Parameter next: may be NULL.
/// - Parameter destroy: runs once, after the last call; may be NULL.
/// - Returns: as rac_subscribe(). RAC: -subscribeNext:. Since: 0.1
@c public func rac_subscribe_next(
  _ signal: CSignal?, _ context: CContext?, _ next: rac_next_fn?, _ destroy: rac_destroy_fn?
) -> CDisposable? {
  let observer = rac_observer(
    size: MemoryLayout<rac_observer>.size, context: context, next: next, error: nil, completed: nil,
    destroy: destroy)
  return subscribe(signal, observer)
}

/// Subscribes a subscriber — a subject, or one that a callback was given — to a signal.
///
/// - Parameter signal: borrowed.
/// - Parameter subscriber: borrowed; retained by the subscription. An end that it is sent, from
///   wherever, ends this subscription too. If it has ended already, so has this one: the callback
///   of a rac_signal_create() runs all the same, with a subscriber that is not active, and what it
///   gives back is disposed.
/// - Returns: one reference to the disposable that ends the subscription; NULL with RAC_ENULL,
///   RAC_ESTALE, RAC_EKIND, or RAC_EINVAL for a subject and itself. RAC: -subscribe:. Since: 0.1
@c public func rac_subscribe_subscriber(_ signal: CSignal?, _ subscriber: CSubscriber?)
  -> CDisposable?
{
  Border.use(signal, .signals, as: Signal.self) { signal in
    Border.use(subscriber, .subscribers, as: Object.self) {
      if $0 === signal {
        return Border.fail(Status.invalid, "a subject cannot subscribe to itself")
      }
      if Border.lacksRoom(for: signal) { return nil }
      guard Border.isReady() else { return nil }
      let scope = Scope()
      let handle = Border.given(Handles.make(scope, .plainDisposable))
      if let subject = $0 as? Subject {
        signal.subscribe(SubjectSink(subject, scope: scope))
      } else if let subscriber, Handles.retain(subscriber) != nil {
        signal.subscribe(SubscriberSink(unsafeDowncast($0, to: Subscriber.self), subscriber, scope))
      }
      return handle
    }
  }
}

/// Sends a value.
///
/// Delivered before this returns, unless another thread, or this one further up, is delivering to
/// the same subscribers: then that one delivers it in its turn; or this thread's stack is too
/// short: then one of the library does.
///
/// - Parameter subscriber: borrowed.
/// - Parameter value: borrowed.
/// - Returns: RAC_OK; RAC_QUEUED; RAC_EDONE when the subscription has ended or was disposed;
///   RAC_ENULL, RAC_ESTALE, RAC_EKIND, RAC_EUTF8, RAC_ENOMEM. May block, with RAC_BOUND_WAIT. Any
///   thread. RAC: -sendNext:. Since: 0.1
@discardableResult
@c public func rac_subscriber_send(_ subscriber: CSubscriber?, _ value: rac_value) -> rac_status {
  Sending.next(subscriber, value, .subscriber)
}

/// Sends an error and thereby ends the stream.
///
/// - Parameter subscriber: borrowed.
/// - Parameter error: borrowed; an error or nil.
/// - Returns: as rac_subscriber_send(). RAC: -sendError:. Since: 0.1
@discardableResult
@c public func rac_subscriber_send_error(_ subscriber: CSubscriber?, _ error: rac_value)
  -> rac_status
{
  Border.takeError(error, otherwise: { $0 }) { Sending.end(subscriber, .subscribers, .error, $0) }
}

/// Completes the stream.
///
/// - Parameter subscriber: borrowed.
/// - Returns: as rac_subscriber_send(). RAC: -sendCompleted. Since: 0.1
@discardableResult
@c public func rac_subscriber_send_completed(_ subscriber: CSubscriber?) -> rac_status {
  Sending.end(subscriber, .subscribers, .completed, .null)
}

/// Whether anything that is sent can still arrive, for the loop of a producer.
///
/// - Parameter subscriber: borrowed.
/// - Returns: false once the subscription has ended or was disposed; always true for a subject;
///   false, with a failure recorded, for no subscriber. Any thread. Since: 0.1
@c public func rac_subscriber_is_active(_ subscriber: CSubscriber?) -> Bool {
  Border.use(
    subscriber, .subscribers, as: Object.self, otherwise: { _ in false }
  ) { ($0 as? Subscriber)?.isActive ?? true }
}

/// Asks, before the next value is sent, whether there is room for it below; an action goes on later
/// when there is none. So a producer holds its own source up, without a thread that waits: it sends
/// for as long as the answer is RAC_OK, and the action begins the same loop again.
///
/// There is room unless a place below is full: law 26 of the event contract. A subject is asked
/// about its own bound, and about the places below that have the same.
///
/// - Parameter subscriber: borrowed; also a subject.
/// - Parameter scheduler: borrowed, retained; where the action runs. NULL: the one that is current,
///   or else a background scheduler. Not the immediate one.
/// - Parameter waiting: gets, before the action may run, one reference to what takes the action
///   back, to be released; NULL for every answer but RAC_PENDING. May be NULL.
/// - Parameter context: passed to the callbacks.
/// - Parameter action: called once after RAC_PENDING, when half the room is free; not if the
///   subscription ends before. It asks again. NULL: only a question, which makes and leaves
///   nothing.
/// - Parameter destroy: runs after the action, or when that will not be called; may be NULL.
/// - Returns: RAC_OK: send; the action is not called. RAC_PENDING: there is no room, and the action
///   is called later. RAC_EDONE when the subscription has ended or was disposed; RAC_ENULL,
///   RAC_ESTALE, RAC_EKIND; RAC_EINVAL for the immediate scheduler. Any thread. Since: 0.1
@c public func rac_subscriber_hold(
  _ subscriber: CSubscriber?, _ scheduler: CScheduler?, _ waiting: COut<CDisposable?>?,
  _ context: CContext?, _ action: rac_action_fn?, _ destroy: rac_destroy_fn?
) -> rac_status {
  waiting?.pointee = nil
  guard let action else {
    defer { Border.destroy(context, destroy) }
    return Border.check(subscriber, .subscribers, as: Object.self) { Holding.ask($0) }
  }
  guard let context = Border.context(context, destroy) else { return Border.refused() }
  var home: Scheduler?
  if scheduler != nil {
    home = Border.scheduler(scheduler)
    guard let home else { return Border.refused() }
    if home === Scheduler.immediate {
      return Failure.record(Status.invalid, "the immediate scheduler cannot go on later")
    }
  }
  return Border.check(subscriber, .subscribers, as: Object.self) {
    Holding.hold($0, on: home, waiting, context, action)
  }
}

/// Has a disposable disposed when the subscriber's subscription ends or is disposed; at once when
/// that has happened. A subject disposes it at the first end it is sent, or when its last reference
/// goes.
///
/// - Parameter subscriber: borrowed.
/// - Parameter disposable: borrowed, retained until it is disposed: a compound one till then,
///   others perhaps a little longer.
/// - Returns: RAC_OK, RAC_ENULL, RAC_ESTALE, RAC_EKIND. RAC: -didSubscribeWithDisposable:. Since:
///   0.1
@discardableResult
@c public func rac_subscriber_add_disposable(_ subscriber: CSubscriber?, _ disposable: CDisposable?)
  -> rac_status
{
  Border.check(subscriber, .subscribers, as: Object.self) { subscriber in
    Border.check(disposable, .disposables, as: Disposable.self) {
      if let subject = subscriber as? Subject {
        subject.upstream.add(Dependent($0))
      } else {
        unsafeDowncast(subscriber, to: Subscriber.self).add(Dependent.holding($0))
      }
      return Status.ok
    }
  }
}

private func usable(_ observer: UnsafePointer<rac_observer>?, _ function: StaticString = #function)
  -> rac_observer?
{
  guard let observer else { return Border.fail(Status.null, "observer is NULL", in: function) }
  guard observer.pointee.size >= MemoryLayout<rac_observer>.size else {
    return Border.fail(Status.invalid, "the observer has a wrong size", in: function)
  }
  return observer.pointee
}

private func subscribe(
  _ signal: CSignal?, _ observer: rac_observer, _ function: StaticString = #function
) -> CDisposable? {
  guard Border.isReady(function) else {
    Border.destroy(observer.context, observer.destroy)
    return nil
  }
  if let handle = Joining.join(signal, observer) { return Border.given(handle) }
  guard let signal, let source = Handles.acquire(signal) else {
    return drop(observer) { Border.refuse(signal, .signals, inChain: function) }
  }
  guard HandleKind.signals.includes(source) else {
    Handles.release(source)
    return drop(observer) { Border.refuse(signal, .signals, inChain: function) }
  }
  if let handle = Joining.begin(source, observer) {
    Handles.release(source)
    return Border.given(handle)
  }
  let sink = Unmanaged<Signal>.fromOpaque(source.object)._withUnsafeGuaranteedRef {
    Unmanaged.passRetained(CallbackSink.make(observer, for: $0))
  }
  // The handle's own reference: the sink may be gone when it has been subscribed.
  let scope = sink._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.scope) }
  scope.keepNew()
  let isSubscribed = Unmanaged<Signal>.fromOpaque(source.object)._withUnsafeGuaranteedRef {
    signal in
    sink._withUnsafeGuaranteedRef { signal.trySubscribe($0) }
  }
  sink.drop()
  Handles.release(source)
  if isSubscribed, !scope._withUnsafeGuaranteedRef({ $0.isDrained }) {
    let owned = Unmanaged<Object>.fromOpaque(scope.toOpaque())
    return Border.given(Handles.makeHere(owned: owned, .plainDisposable, in: Slots.allocate()))
  }
  scope.drop()
  return isSubscribed
    ? Border.given(EndedSubscription.handle) : Border.refuseSubscription(function)
}

/// Refuses a subscription; then the observer goes.
@inline(never)
private func drop(_ observer: rac_observer, _ refuse: () -> CDisposable?) -> CDisposable? {
  _ = refuse()
  withExtendedLifetime(CallbackSink.make(observer)) {}
  return nil
}
