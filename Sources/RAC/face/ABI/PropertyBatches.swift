/// Begins a batch: all that this thread sets from here on is set at once when the batch ends.
///
/// Until then no other thread sees a change: there rac_property_get() answers the value from
/// before. On this thread it answers the value that the batch has set, and of a derived property
/// the result of its callback for that. rac_property_set() answers RAC_QUEUED. At the end each
/// property changes once, each derived property is computed once, and subscribers hear of the
/// changes when all are made. Two properties that are bound both ways change together, at the end:
/// until then the other one has the value from before on this thread, too. Of several
/// sets of one property only the last counts; rac_property_modify() works on that. Sets of other
/// threads take effect at once, and the batch comes after them.
///
/// A batch belongs to the thread, and to the job that began it: end it there. It includes the sets
/// of callbacks that run on the thread meanwhile, and the values that signals send into bound
/// properties. A batch that is begun inside another one adds to that. One that is never ended sets
/// nothing; it goes with its job, or its thread, and the log says so.
///
/// At its end the callbacks of adapters and of two-way bindings compute the new values, and those
/// of rac_property_modify() once more where another thread has changed the property since. If they
/// set a property of the batch, the set is part of the batch, and rac_property_set() answers
/// RAC_OK: again the last counts. Any other property they set at once, by itself; properties
/// derived from it wait for the turn of the batch where both are connected (RAC_QUEUED).
///
/// - Returns: RAC_OK; RAC_EDEADLK inside a callback that is no job: rac_property_batch() is for
///   these; RAC_ENOMEM, RAC_EFORK, RAC_ECLOSED. Any thread. Since: 0.1
@discardableResult
@c public func rac_property_batch_begin() -> rac_status {
  guard Border.isReady() else { return Border.refused() }
  guard currentThread().mayLeaveOpen else {
    return Failure.record(Status.deadlock, "inside a callback: use rac_property_batch()")
  }
  _ = PropertyBatch(isScoped: false)
  return Status.ok
}

/// Ends the batch that was begun last, and sets its properties.
///
/// - Returns: RAC_OK when all is set and all subscribers have heard; RAC_QUEUED when other threads
///   are delivering, or when there is a batch around this one: all of it comes in its turn; the
///   first failing status of an adapter's `set` or of a callback of rac_property_modify(), while
///   the rest is set; RAC_EINVAL when the running job, or this thread outside of callbacks, has
///   begun no batch, or has ended it; RAC_EFORK; RAC_ECLOSED, and nothing is set. Since: 0.1
@discardableResult
@c public func rac_property_batch_end() -> rac_status { endBatch(isCancelled: false) }

/// Ends the batch that was begun last without setting anything, also when the library is closed.
///
/// - Returns: RAC_OK; RAC_EINVAL and RAC_EFORK as rac_property_batch_end(). Since: 0.1
@discardableResult
@c public func rac_property_batch_cancel() -> rac_status { endBatch(isCancelled: true) }

/// Calls back inside a batch of its own, which ends when the callback returns:
/// rac_property_batch_begin().
///
/// - Parameter context: passed to the callbacks, one at a time.
/// - Parameter body: sets properties, on this thread, before this function returns. With a failing
///   status nothing is set.
/// - Parameter destroy: runs once, after `body` or instead of it; may be NULL.
/// - Returns: as rac_property_batch_end(); the failing status of `body`; RAC_ENULL, RAC_ENOMEM.
///   Any thread, also inside a callback. Since: 0.1
@discardableResult
@c public func rac_property_batch(
  _ context: CContext?, _ body: rac_property_batch_fn?, _ destroy: rac_destroy_fn?
) -> rac_status {
  guard let context = Border.context(context, destroy) else { return Border.refused() }
  guard let body else { return Failure.record(Status.null, "body is NULL") }
  if Process.isOver { return Border.refuseOver() }
  let status = PropertyBatch.run(on: currentThread(), context, body)
  return status < 0 ? Failure.record(status, "a callback failed") : status
}

private func endBatch(isCancelled: Bool, _ function: StaticString = #function) -> rac_status {
  if Process.isForkedChild { return Border.refuseOver(function) }
  let thread = currentThread()
  let isClosed = Process.isClosed
  let status =
    thread.mayLeaveOpen
    ? PropertyBatch.end(on: thread, isCancelled: isCancelled || isClosed) : nil
  if isClosed && !isCancelled { return Border.refuseOver(function) }
  guard let status else {
    return Failure.record(
      Status.invalid, "no batch was begun here that could be ended", in: function)
  }
  return status < 0 ? Failure.record(status, "a value was not set", in: function) : status
}
