import CRACShims
import Synchronization

/// The version of the library that is running, as major * 1000000 + minor * 1000 + patch.
///
/// - Returns: equal to RAC_VERSION when the header belongs to the library. Any thread. Since: 0.1
@c public func rac_version() -> UInt32 { UInt32(truncatingIfNeeded: RAC_VERSION) }

/// The version of the library that is running, as text.
///
/// - Returns: a static string such as "0.1.0". Any thread. Since: 0.1
@c public func rac_version_string() -> CString? { staticText("0.1.0") }

/// The name of a status constant.
///
/// - Parameter status: any number.
/// - Returns: a static string such as "RAC_ESTALE"; "unknown status" for a number that is none.
///   Any thread. Since: 0.1
@c public func rac_status_name(_ status: rac_status) -> CString? {
  staticText(Status.name(status) ?? "unknown status")
}

/// The status of the calling thread's latest failure.
///
/// Success never clears it. A NULL handle does not replace it while it may come from it, so that a
/// chain can be checked once, at its end: that is after the failure of a function that gives
/// handles, until a NULL has reached a function that gives none, or another handle is made after
/// somebody has asked about the failure. After the question a NULL that reaches a function without
/// a handle as its result is reported, too.
///
/// - Returns: a negative status, or RAC_OK if nothing failed yet. Since: 0.1
@discardableResult
@c public func rac_last_error_code() -> rac_status { Failure.examine().pointee.error_code }

/// The message of the calling thread's latest failure.
///
/// - Returns: text for a person, "" if nothing failed yet. Valid until the thread's next failure.
///   Since: 0.1
@c public func rac_last_error_message() -> CString? {
  rac_shim_error_message(Failure.examine())
}

/// The function that failed in the calling thread's latest failure.
///
/// - Returns: text such as "rac_signal_map", "" if nothing failed yet. Valid until the thread's
///   next failure. Since: 0.1
@c public func rac_last_error_function() -> CString? {
  rac_shim_error_function(Failure.examine())
}

/// Forgets the calling thread's latest failure. Since: 0.1
@c public func rac_clear_last_error() { Failure.clear() }

/// Takes one more reference to a handle of any kind.
///
/// This also keeps a handle that a callback was lent.
///
/// - Parameter handle: borrowed; NULL gives NULL without an error.
/// - Returns: one reference more, to the same handle; NULL with RAC_ESTALE, also when it has 65,535
///   references already. Any thread. Since: 0.1
@discardableResult
@c public func rac_retain(_ handle: CHandle?) -> CHandle? {
  guard let handle else { return nil }
  guard Handles.retain(OpaquePointer(handle)) != nil else {
    _ = Border.refuse(OpaquePointer(handle), .any)
    return nil
  }
  return handle
}

/// Gives back one reference to a handle of any kind.
///
/// Releasing a subscription's disposable does not dispose it; only a scoped disposable is disposed
/// with its last reference.
///
/// - Parameter handle: given back; NULL is a no-op.
/// - Returns: RAC_OK, or RAC_ESTALE when the handle was released already. Any thread, also inside a
///   callback. Where RAC_EFORK is answered a no-op. Since: 0.1
@discardableResult
@c public func rac_release(_ handle: CHandle?) -> rac_status {
  guard let handle else { return Status.ok }
  if Process.isForkedChild || Handles.releaseHere(OpaquePointer(handle)) { return Status.ok }
  return Border.refuse(OpaquePointer(handle), .any)
}

/// rac_release() as a destroy: for a context that is a handle.
///
///     rac_subscribe_next(s, rac_retain(subject), send, rac_release_context);
///
/// - Parameter context: a handle of any kind; given back. NULL is a no-op.
///
/// Any thread. Since: 0.1
@c public func rac_release_context(_ context: CContext?) { rac_release(context) }

/// Puts a handle into a variable and releases the one that was there: how chains are built.
///
///     rac_assign((void **)&s, rac_signal_map(s, NULL, twice, NULL));
///
/// In C RAC_ASSIGN(s, …) needs no cast, and refuses a handle of another type.
///
/// - Parameter variable: holds a handle or NULL; its old content is released after the new one is
///   in.
/// - Parameter handle: its reference moves into the variable; may be NULL.
/// - Returns: lent: `handle`. With a NULL `variable`, RAC_ENULL is recorded and `handle` is
///   released. Since: 0.1
@discardableResult
@c public func rac_assign(_ variable: COut<CHandle?>?, _ handle: CHandle?)
  -> CHandle?
{
  guard let variable else {
    _ = rac_release(handle)
    return Border.fail(Status.null, "variable is NULL")
  }
  let old = variable.pointee
  variable.pointee = handle
  _ = rac_release(old)
  return handle
}

/// How many things the library keeps alive: signals, subscriptions, waiting jobs, counted values, …
///
/// It is back at its start value when everything has been released and has ended; a leak test
/// compares the two.
///
/// - Returns: a count. Exact when no other thread is inside the library. Since: 0.1
@c public func rac_live_objects() -> UInt64 { LiveObjects.count }

/// How many values were sent, anywhere, and wait to be delivered: behind the one that a subject, a
/// property or an operator is delivering, for the scheduler of a deliver_on, and where a bound
/// counts them. The sets of a batch that has yet to come to its turn are such values.
///
/// Values that an operator holds back for a time or for others, as delay and zip do, and values
/// that a replay remembers do not count. For diagnosis: it adds up the counts of all threads.
///
/// - Returns: a count. Exact when no other thread is inside the library. Since: 0.1
@c public func rac_queued_values() -> UInt64 { UInt64(max(0, rac_shim_queued_total())) }

/// Gives the calling thread a current scheduler, the immediate one, so that it subscribes to cold
/// signals at once. Without it a thread that is neither the main one nor the library's subscribes
/// on a background scheduler, as in RAC.
///
/// Nothing else changes: a background scheduler sends the values that delay and throttle hold back,
/// as on any other thread without a scheduler of its own.
///
/// - Returns: RAC_OK. May be nested; undo each with rac_thread_detach(). Since: 0.1
@discardableResult
@c public func rac_thread_attach() -> rac_status {
  let thread = currentThread()
  thread.pointee.attached = thread.pointee.attached &+ 1
  return Status.ok
}

/// Undoes one rac_thread_attach() of the calling thread.
///
/// - Returns: RAC_OK, or RAC_EINVAL when the thread is not attached. Since: 0.1
@discardableResult
@c public func rac_thread_detach() -> rac_status {
  let thread = currentThread()
  guard thread.pointee.attached > 0 else {
    return Failure.record(Status.invalid, "the thread is not attached")
  }
  thread.pointee.attached = thread.pointee.attached &- 1
  return Status.ok
}

/// Makes every thread subscribe to cold signals at once, or goes back to RAC's rule.
///
/// - Parameter everywhere: true: at once on any thread; false: see rac_thread_attach().
/// - Returns: RAC_OK. For the whole process. Any thread. Since: 0.1
@discardableResult
@c public func rac_set_subscribe_inline(_ everywhere: Bool) -> rac_status {
  SubscriptionScheduler.runsInlineEverywhere.store(everywhere, ordering: .relaxed)
  return Status.ok
}

/// Whether places without a bound hold the sources above them when much waits: a flatten with a
/// limit, as in rac_signal_concat_map(), at 64 signals; rac_signal_deliver_on() at about 1,024
/// values, and so each signal of rac_signal_zip(), rac_signal_rate_limit() and
/// rac_signal_pausable() where any number waits; the input of rac_signal_spawn() at 65,536 bytes.
/// They do unless this is called.
/// RAC_BOUND_NONE switches it off for one place that takes a bound.
///
/// Off is for programs in which a signal that runs waits for a later value of the source that it
/// was made from: behind a place that is full that value never comes.
///
/// - Parameter hold: false: any number waits there.
/// - Returns: RAC_OK. For subscriptions of the whole process that are made from then on. Any
///   thread. Since: 0.1
@discardableResult
@c public func rac_set_default_marks(_ hold: Bool) -> rac_status {
  Mark.isOff.store(!hold, ordering: .relaxed)
  return Status.ok
}

/// Says with which error a callback fails: `return rac_raise(error);`
///
/// The error belongs to the innermost callback that is running on the calling thread; callbacks
/// that run inside that one later do not touch it. It ends the stream if that callback returns
/// RAC_EUSER, and is dropped if it returns anything else. Of several errors the latest counts.
/// Outside of callbacks the library drops it at once. Do not raise in a callback that returns no
/// status: nothing reads the error there.
///
/// - Parameter error: borrowed; an error or nil.
/// - Returns: RAC_EUSER, for the callback to return; RAC_EKIND when the value is no error. Since:
///   0.1
@discardableResult
@c public func rac_raise(_ error: rac_value) -> rac_status {
  Border.takeError(error, otherwise: { $0 }) {
    Callback.raise($0)
    return Status.user
  }
}

/// Says with which system error a callback fails: `return rac_raise_errno(errno, "open");`
///
/// - Parameter error: a number of <errno.h>.
/// - Parameter operation: borrowed; the name of the call that failed, as for perror(). May be NULL.
/// - Returns: RAC_EUSER, for the callback to return, after rac_raise() of an error of domain
///   RAC_SYSTEM_ERROR_DOMAIN with the number as its code and the system's text as its message;
///   RAC_EINVAL when the number is none of <errno.h>. Since: 0.1
@discardableResult
@c public func rac_raise_errno(_ error: Int32, _ operation: CString?) -> rac_status {
  guard error > 0 && error <= Status.largestErrno else {
    return Failure.record(Status.invalid, "the number is no errno")
  }
  let raised = Value.systemError(operation, error)
  Callback.raise(raised)
  raised.release()
  return Status.user
}

func staticText(_ text: StaticString) -> CString {
  UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
