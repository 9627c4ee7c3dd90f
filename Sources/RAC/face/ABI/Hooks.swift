/// Has a host's functions called around every wait inside the library, on the thread that waits: an
/// interpreter lets go of its lock before and takes it back after, so that callbacks on other
/// threads can run.
///
/// Around each sleep of what blocks: rac_signal_first() and its like, rac_dispose_and_wait(),
/// reading a sequence, rac_main_run() while there is nothing to run, and what is scheduled with a
/// delay on the immediate scheduler. A call that need not wait calls neither; one that wakes and
/// has to go on waiting calls both again. Callbacks always run between `after` and the next
/// `before`.
///
/// Both are callbacks like others: they may call the library, and what blocks answers RAC_EDEADLK
/// there. A hook counts among rac_live_objects() until it is replaced.
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

/// Has a host's functions called on each thread of the library's own, when it begins to call the
/// host and when that is over: an interpreter makes a state for the thread, which it keeps from
/// callback to callback.
///
/// `started` is called once on each thread, before the first callback that it runs, of whatever
/// kind; on one that is there already, before the next one. `ended` is called on it when the hook
/// is replaced or taken away, and in rac_close(), which waits for that; a thread that sleeps is
/// woken for it. Not at the exit of the process, in which the library's threads never end. There
/// are few, and they stay: workers, at most four for each processor but never fewer than eight, one
/// for times, one for descriptors.
///
/// Both are callbacks like others: they may call the library, and what blocks answers RAC_EDEADLK
/// there. A hook counts among rac_live_objects() until it is replaced and all threads have called
/// `ended`. A forked child that begins anew has none.
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

/// Has a host's function asked whether to go on, on the thread that calls the library, in what may
/// have no end: an interpreter looks whether somebody has pressed Ctrl-C.
///
/// Asked between two jobs of a virtual scheduler that is stepped; two jobs of a drain that has a
/// bound, and two turns of a run, of the main one; two sources of repeat, retry, concat and their
/// like that end at once, or of expand; two values of a sequence, or runs of a recursive job, on
/// the immediate scheduler; and now and then what goes round, as in a shared signal that is
/// subscribed to inside of itself. A call that blocks asks when it has woken, which it does four
/// times a second at least if there was a hook when it began.
///
/// RAC_OK goes on. A failing status ends a signal with the error, as that of any callback does, and
/// rac_raise() says with which. A step of a virtual scheduler answers that status, and its clock
/// stays where it is; a drain is over; a recursive job is disposed; a call that blocks, and a run
/// of the main scheduler, ends as if its time had passed. An operator that does not pass errors on,
/// such as retry, asks again when it goes on.
///
/// It is a callback like others: it may call the library, and what blocks answers RAC_EDEADLK
/// there. Threads of the library ask it, too. A hook counts among rac_live_objects() until it is
/// replaced.
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

/// Sets a hook, or none where there is no function: then nobody will need the context.
func setHook<Function>(
  _ context: CContext?, _ hook: Function?, _ destroy: rac_destroy_fn?,
  _ function: StaticString = #function,
  _ set: (Hook<Function>?) -> Void
) -> rac_status {
  // A forked child has to hear of it: it may be in the middle of something, as behind a lock.
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
