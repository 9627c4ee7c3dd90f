import CRACShims

/// Sends the elements of an array to all subscribers, in order.
///
/// - Parameter subject: borrowed.
/// - Parameter type: RAC_ARRAY_VALUES for an array of rac_value; RAC_ARRAY_INT64S or
///   RAC_ARRAY_DOUBLES for one of int64_t or double, each sent as a value of that kind.
/// - Parameter elements: borrowed, and left alone until the call returns; NULL is allowed with
///   count 0. Nothing is sent when a value among them is refused.
/// - Parameter count: how many.
/// - Returns: RAC_OK when all were delivered; RAC_QUEUED when some come in their turn, as with
///   rac_subject_send(); RAC_ENULL, RAC_EINVAL for another type or a count that no array has,
///   RAC_ESTALE, RAC_EKIND, RAC_EUTF8, RAC_ENOMEM, which alone may come after some were sent. May
///   block, with RAC_BOUND_WAIT. Any thread, also inside a callback. RAC: -sendNext:. Since: 0.1
@discardableResult
@c public func rac_subject_send_array(
  _ subject: CSubject?, _ type: Int32, _ elements: UnsafeRawPointer?, _ count: CSize
) -> rac_status {
  sendArray(subject, .subjects, type, elements, count)
}

/// Sends the elements of an array, in order.
///
/// - Parameter subscriber: borrowed.
/// - Parameter type: as for rac_subject_send_array().
/// - Parameter elements: borrowed, and left alone until the call returns; NULL is allowed with
///   count 0. Nothing is sent when a value among them is refused.
/// - Parameter count: how many.
/// - Returns: as rac_subject_send_array(); RAC_EDONE when the subscription has ended or was
///   disposed, before the call or during it: nobody is left to hear the rest. May block, with
///   RAC_BOUND_WAIT. RAC: -sendNext:. Since: 0.1
@discardableResult
@c public func rac_subscriber_send_array(
  _ subscriber: CSubscriber?, _ type: Int32, _ elements: UnsafeRawPointer?, _ count: CSize
) -> rac_status {
  sendArray(subscriber, .subscribers, type, elements, count)
}

private func sendArray(
  _ handle: OpaquePointer?, _ kinds: HandleKind, _ type: Int32, _ elements: UnsafeRawPointer?,
  _ count: CSize, _ function: StaticString = #function
) -> rac_status {
  func send<Element: SentElement>(_ element: Element.Type) -> rac_status {
    let array = elements?.assumingMemoryBound(to: element)
    return Sending.sendMany(handle, kinds, array, count, function)
  }
  switch type {
  case RAC_ARRAY_VALUES: return send(Value.self)
  case RAC_ARRAY_INT64S: return send(Int64.self)
  case RAC_ARRAY_DOUBLES: return send(Double.self)
  default:
    return Failure.record(Status.invalid, "the type is none of RAC_ARRAY_…", in: function)
  }
}

/// Subscribes to a signal and takes its values many at a time: as soon as so many have gathered, or
/// so long after the first of them has come.
///
///     source      --1--2--3------4--5--|
///     count 3     --------(123)--------(45|)
///
/// A full batch comes on the thread that sends; one whose time has come, on the scheduler. A
/// completion, and an error as well, first delivers the values that have gathered. A disposal drops
/// them. When the source is gone, they still come in their time, but are dropped if that is
/// endless. Nothing is allocated for a value: the array is used again for each batch.
///
/// In an array of numbers a value of another kind ends the stream with an error of domain "rac" and
/// code RAC_EKIND; among doubles integers are converted, to the nearest double beyond 2^53.
///
/// - Parameter signal: borrowed; it need not be kept while the subscription lives.
/// - Parameter count: the most of a batch, 1 or more; RAC_BATCH_UNLIMITED leaves it to time and the
///   end.
/// - Parameter interval: seconds that a value waits at most, 0 or more; INFINITY for as long as it
///   takes. 0 delivers the values that have gathered as soon as the scheduler's turn comes. The
///   immediate scheduler sleeps for the interval, so there every value comes alone.
/// - Parameter scheduler: borrowed, retained; where the time passes. NULL: the one that is current
///   when the first value of a batch comes, and without one a background scheduler.
/// - Parameter observer: borrowed, copied; at most one of its functions for values may be set. Its
///   `destroy` runs exactly once, also when this call fails (unless `observer` itself is unusable).
/// - Returns: one reference to the disposable that ends the subscription; NULL with RAC_ENULL,
///   RAC_EINVAL (wrong size, two functions for values, count 0, an interval that is negative or
///   NaN), RAC_ESTALE or RAC_EKIND. Releasing it does not dispose it. RAC:
///   -bufferWithTime:onScheduler:. Since: 0.1
@c public func rac_subscribe_batches(
  _ signal: CSignal?, _ count: CSize, _ interval: Double, _ scheduler: CScheduler?,
  _ observer: UnsafePointer<rac_batch_observer>?
) -> CDisposable? {
  guard let observer else { return Border.fail(Status.null, "observer is NULL") }
  guard observer.pointee.size >= MemoryLayout<rac_batch_observer>.size else {
    return Border.fail(Status.invalid, "the observer has a wrong size")
  }
  guard Border.isReady() else {
    Border.destroy(observer.pointee.context, observer.pointee.destroy)
    return nil
  }
  // Made first, so that destroy runs on every path.
  let sink = BatchSink(observer.pointee, limit: max(1, Border.count(count)))
  if count == 0 { return Border.fail(Status.invalid, "a batch of no values") }
  if observer.pointee.takesSeveralForms {
    return Border.fail(Status.invalid, "the observer has two functions for values")
  }
  guard let time = Border.duration(interval) else { return nil }
  if Border.isBrokenChain(signal) { return nil }
  guard let scheduler = Border.ifGiven(scheduler, Border.scheduler) else { return nil }
  if let scheduler, interval < .infinity, !Border.keepsTime(scheduler) { return nil }
  return Border.use(signal, .signals, as: Signal.self) {
    if Border.lacksRoom(for: $0) { return nil }
    if Diagnostics.shared.isWatching { sink.name = $0.name }
    let handle = Border.given(Handles.make(sink.scope, .plainDisposable))
    $0.subscribe(sink, within: interval < .infinity ? time : nil, on: scheduler)
    return handle
  }
}

extension rac_batch_observer {
  fileprivate var takesSeveralForms: Bool {
    let (values, int64s, doubles) = (next_values != nil, next_int64s != nil, next_doubles != nil)
    return (values && int64s) || (values && doubles) || (int64s && doubles)
  }
}
