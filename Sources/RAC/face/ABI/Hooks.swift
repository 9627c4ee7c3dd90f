/// Sets two functions of the host's, which the library calls around every wait inside it, on the
/// waiting thread: an interpreter lets go of its lock before and takes it back after, so that
/// callbacks on other threads can run.
///
/// The library calls them around each sleep of a blocking call: rac_signal_first() and its like,
/// rac_dispose_and_wait(), reading a sequence, rac_main_run() while there is nothing to run, and a
/// delayed job on the immediate scheduler. A call that need not wait calls neither; one that wakes
/// and has to go on waiting calls both again. Callbacks always run between `after` and the next
/// `before`.
///
/// Both are callbacks like others: they may call the library, but a call that blocks answers
/// RAC_EDEADLK there. A hook counts among rac_live_objects() until it is replaced.
///
/// - Parameter context: passed to the callbacks.
/// - Parameter before: called before a thread falls asleep; may be NULL.
/// - Parameter after: called after it has woken, if the hook was set when it fell asleep; may be
///   NULL. Where both are NULL there is no hook any more.
/// - Parameter destroy: runs when the hook has been replaced and no thread sleeps any more that it
///   was called for; may be NULL.
/// - Returns: RAC_OK, RAC_ENOMEM; RAC_ECLOSED, unless it takes the hook away. Any thread. Since:
///   0.1
@discardableResult
@c public func rac_set_blocking_hook(
  _ context: CContext?, _ before: rac_action_fn?, _ after: rac_action_fn?,
  _ destroy: rac_destroy_fn?
) -> rac_status {
  setHook(context, Around(before, after), destroy) { BlockingHook.set($0) }
}

/// Sets two functions of the host's, which each thread of the library calls: one before its first
/// callback, one after its last. An interpreter makes a state for the thread, and keeps it from
/// callback to callback.
///
/// Each thread calls `started` once, before its first callback of any kind, or its next one if it
/// runs already. It calls `ended` when the hook is replaced or taken away, for which a sleeping
/// thread wakes up, and in rac_close(), which waits for that; not at the exit of the process, where
/// the library's threads never end. The threads are few, and they stay: workers, at most four for
/// each processor but never fewer than eight, one for times, one for descriptors.
///
/// Both are callbacks like others: they may call the library, but a call that blocks answers
/// RAC_EDEADLK there. A hook counts among rac_live_objects() until it is replaced and all threads
/// have called `ended`. A forked child that begins anew has none.
///
/// - Parameter context: passed to the callbacks.
/// - Parameter started: may be NULL.
/// - Parameter ended: called on each thread that has called `started`, or would have; may be NULL.
///   Where both are NULL there is no hook any more.
/// - Parameter destroy: runs when the hook was replaced and the last thread has called `ended`; may
///   be NULL.
/// - Returns: RAC_OK, RAC_ENOMEM; RAC_ECLOSED, unless it takes the hook away. Does not wait for the
///   threads. Any thread. Since: 0.1
@discardableResult
@c public func rac_set_thread_hook(
  _ context: CContext?, _ started: rac_action_fn?, _ ended: rac_action_fn?,
  _ destroy: rac_destroy_fn?
) -> rac_status {
  var isSet = true
  let status = setHook(context, Around(started, ended), destroy) {
    isSet = ThreadHook.change(to: $0)
  }
  return isSet ? status : Border.refuseOver()
}

/// Sets a function of the host's that work which may have no end asks whether to go on, on the
/// thread that calls the library: an interpreter checks for Ctrl-C.
///
/// The library asks between two jobs of a stepped virtual scheduler; two jobs of a bounded drain,
/// and two turns of a run, of the main scheduler; two sources of repeat, retry, concat and their
/// like that end at once, or of expand; two values of a sequence, or runs of a recursive job, on
/// the immediate scheduler; and now and then in an endless round, such as a shared signal that is
/// subscribed to inside of itself. A blocking call asks each time it wakes, and wakes at least four
/// times a second if there was a hook when it began.
///
/// After RAC_OK the work goes on. A failing status ends a signal with an error, which rac_raise()
/// can name, as in any callback. A step of a virtual scheduler answers that status, and its clock
/// stays where it is; a drain ends; a recursive job is disposed; a call that blocks, and a run of
/// the main scheduler, ends as if its time had passed. An operator that does not pass errors on,
/// such as retry, asks again when it goes on.
///
/// It is a callback like others: it may call the library, but a call that blocks answers
/// RAC_EDEADLK there. Threads of the library ask it, too. A hook counts among rac_live_objects()
/// until it is replaced.
///
/// - Parameter context: passed to the callback.
/// - Parameter goes_on: called often, so it should be quick; NULL: there is no hook any more.
/// - Parameter destroy: runs when the hook has been replaced and no thread is in it any more; may
///   be NULL.
/// - Returns: RAC_OK, RAC_ENOMEM; RAC_ECLOSED, unless it takes the hook away. Any thread. Since:
///   0.1
@discardableResult
@c public func rac_set_interruption_hook(
  _ context: CContext?, _ goes_on: rac_interruption_fn?, _ destroy: rac_destroy_fn?
) -> rac_status {
  setHook(context, goes_on, destroy) { InterruptionHook.set($0) }
}

/// Sets a hook, or none if there is no function: then it destroys the context at once.
func setHook<Function>(
  _ context: CContext?, _ hook: Function?, _ destroy: rac_destroy_fn?,
  _ function: StaticString = #function,
  _ set: (Hook<Function>?) -> Void
) -> rac_status {
  // Gives this thread a record, so that a fork counts it: the thread may be behind a lock then.
  _ = currentThread()
  guard let hook else {
    set(nil)
    Border.destroy(context, destroy)
    return Status.ok
  }
  guard let context = Border.context(context, destroy, function) else {
    return Border.refused()
  }
  set(Hook(context: context, function: hook))
  return Status.ok
}
