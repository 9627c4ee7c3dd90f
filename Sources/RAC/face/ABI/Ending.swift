import CRACShims

/// Waits until all that was sent before has been delivered, be it queued behind other operations of
/// a subject, a property or an operator, on a background scheduler, or on the main one. The main
/// thread runs the main scheduler meanwhile; while another thread waits, something else has to run
/// it. It does not wait for timers, nor for values that an operator holds back for a reason of its
/// own, as zip and collect do. A thread that never stops sending may keep this from finding an end.
///
/// - Parameter timeout: in seconds; negative waits for ever.
/// - Returns: RAC_OK; RAC_ETIMEDOUT; RAC_EDEADLK inside a callback or a job; RAC_EINVAL (NaN);
///   RAC_ECLOSED. May block. Any thread. Since: 0.1
@discardableResult
@c public func rac_settle(_ timeout: Double) -> rac_status {
  if Process.isOver { return Border.refuseOver() }
  return waiting(timeout) { Settling.settle(timeout: $0) }
}

/// Has the process settle at its exit, as rac_settle() does, before it ends: after main has
/// returned, and in exit(), in the order of atexit(). Without it the process ends without
/// delivering the waiting values.
///
/// In an exit() inside a callback that callback's frames stay, with what waits behind them; all
/// else is delivered. A line on the standard error says when something is left.
///
/// - Parameter timeout: in seconds, at most so long; negative waits for ever; 0, as at the start,
///   does not wait.
/// - Returns: RAC_OK; RAC_EINVAL (NaN); RAC_ECLOSED. Any thread; for the process. Since: 0.1
@discardableResult
@c public func rac_set_settle_at_exit(_ timeout: Double) -> rac_status {
  if Process.isOver { return Border.refuseOver() }
  return waiting(timeout) {
    Settling.settleAtExit($0)
    return Status.ok
  }
}

/// Closes the library, for good: for a host that unloads the code of its callbacks. From the call
/// on no callback begins but destroy; those that run already go on to their end, and this waits for
/// them. Calls that wait answer RAC_ECLOSED, so does every other from now on, and no thread of the
/// library runs anything of yours. Values and jobs that wait are dropped, and destroyed.
/// rac_property_get() goes on giving the last value.
///
/// rac_release(), rac_dispose() and rac_value_release() go on letting go of things: destroy runs
/// there, on the thread that does, once as ever. The actions of disposables do not run any more,
/// nor those for the end of a subscription (rac_signal_do_finally(), rac_signal_using()), and
/// nothing completes. So a subscription without a disposable that keeps its own source alive, such
/// as an execution of a command or one of rac_signal_replay(), stays.
///
/// - Parameter timeout: in seconds; negative waits for ever.
/// - Returns: RAC_OK: no callback runs, and none will; RAC_ETIMEDOUT: some still run: call it
///   again; RAC_EDEADLK inside a callback or a job, and nothing is closed; RAC_EINVAL (NaN). A
///   second call after RAC_OK answers RAC_OK. May block. Any thread. Since: 0.1
@discardableResult
@c public func rac_close(_ timeout: Double) -> rac_status {
  if Process.isForkedChild { return Border.refuseOver() }
  return waiting(timeout) { Closing.close(timeout: $0) }
}

private func waiting(
  _ timeout: Double, _ function: StaticString = #function, _ body: (Int64) -> rac_status
) -> rac_status {
  guard let limit = Border.timeout(timeout, function) else { return Border.refused() }
  let status = body(limit)
  switch status {
  case Status.deadlock:
    Failure.record(status, "waiting inside a callback would wait for itself", in: function)
  case Status.timedOut:
    Failure.record(status, "callbacks are still running or to come", in: function)
  case Status.closed: Border.refuseOver(function)
  default: break
  }
  return status
}
