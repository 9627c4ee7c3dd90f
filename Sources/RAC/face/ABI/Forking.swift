import CRACShims

/// Makes the library work again in a forked child where every call answers RAC_EFORK: when the
/// parent had threads of the library's, or other threads that had called it. The child begins anew,
/// with nothing of the parent's: its handles stay stale, but those of rac_scheduler_main() and
/// rac_scheduler_immediate(); its jobs, subscriptions, hooks and names are not there, and no
/// destroy of theirs runs. Values go on as they were, those that stand for signals and sequences of
/// the parent's apart.
///
/// - Returns: RAC_OK, also where the library works already and this does nothing; RAC_EDEADLK
///   inside a callback, which goes on in the child after it was forked there; RAC_ECLOSED.
///   Any thread of the child's, before others use the library. Since: 0.1
@discardableResult
@c public func rac_reinitialize() -> rac_status {
  if Process.isClosed { return Border.refuseOver() }
  if !Process.isForkedChild { return Status.ok }
  if currentThread().isInsideCallback {
    return Failure.record(Status.deadlock, "a callback of the parent's goes on here")
  }
  rac_shim_reinitialize()
  return Status.ok
}
