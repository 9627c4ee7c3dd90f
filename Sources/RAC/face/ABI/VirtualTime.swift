/// Runs the next job and moves the clock to its time. Of what rac_signal_deliver_on() has gathered
/// it delivers one value.
///
/// - Parameter scheduler: borrowed; a virtual one.
/// - Returns: RAC_OK, also when there was none; RAC_EBUSY when another thread is stepping it;
///   RAC_ERANGE when jobs that step are nested too deeply for the stack; the status that the hook
///   of rac_set_interruption_hook() answers; RAC_ENULL, RAC_ESTALE, RAC_EKIND. RAC: -step. Since:
///   0.1
@discardableResult
@c public func rac_virtual_step(_ scheduler: CScheduler?) -> rac_status {
  withVirtual(scheduler) { $0.step(1) }
}

/// Runs the next `count` jobs, those they cause included. Values that rac_signal_deliver_on() has
/// gathered count each.
///
/// - Parameter scheduler: borrowed; a virtual one.
/// - Parameter count: at most so many.
/// - Returns: as rac_virtual_step(). RAC: -step:. Since: 0.1
@discardableResult
@c public func rac_virtual_step_n(_ scheduler: CScheduler?, _ count: CSize) -> rac_status {
  withVirtual(scheduler) { $0.step(Border.count(count)) }
}

/// Runs jobs until there is none left. Jobs that repeat for ever make this run for ever.
///
/// - Parameter scheduler: borrowed; a virtual one.
/// - Returns: as rac_virtual_step(). RAC: -stepAll. Since: 0.1
@discardableResult
@c public func rac_virtual_step_all(_ scheduler: CScheduler?) -> rac_status {
  withVirtual(scheduler) { $0.step(.max) }
}

/// Runs everything that is due up to a time, and sets the clock to it.
///
/// - Parameter scheduler: borrowed; a virtual one.
/// - Parameter seconds: a time on its clock, 0 or more; an earlier one than now runs what is ready.
/// - Returns: as rac_virtual_step(), or RAC_EINVAL. Since: 0.1
@discardableResult
@c public func rac_virtual_advance_to(_ scheduler: CScheduler?, _ seconds: Double) -> rac_status {
  guard let time = Border.duration(seconds) else { return Border.refused() }
  return withVirtual(scheduler) { $0.advance(to: time) }
}

/// Runs everything that is due within a time from now, and moves the clock on by it.
///
/// - Parameter scheduler: borrowed; a virtual one.
/// - Parameter seconds: 0 or more.
/// - Returns: as rac_virtual_step(), or RAC_EINVAL. Since: 0.1
@discardableResult
@c public func rac_virtual_advance_by(_ scheduler: CScheduler?, _ seconds: Double) -> rac_status {
  guard let time = Border.duration(seconds) else { return Border.refused() }
  return withVirtual(scheduler) { $0.advance(to: $0.plainNow.saturatingAdd(time)) }
}

/// Moves the clock on by a time, and runs nothing. Jobs that are due meanwhile are late, as where a
/// thread was busy: they run with the next step or advance.
///
/// - Parameter scheduler: borrowed; a virtual one.
/// - Parameter seconds: 0 or more.
/// - Returns: as rac_virtual_step(), or RAC_EINVAL. Rx: VirtualTimeScheduler.Sleep. Since: 0.1
@discardableResult
@c public func rac_virtual_sleep(_ scheduler: CScheduler?, _ seconds: Double) -> rac_status {
  guard let time = Border.duration(seconds) else { return Border.refused() }
  return withVirtual(scheduler) { $0.sleep(time) }
}

/// Sets the clock to a time, forwards or back, and runs nothing. For players of recordings, with
/// the two functions that follow.
///
/// - Parameter scheduler: borrowed; a virtual one.
/// - Parameter nanoseconds: the time.
/// - Returns: RAC_OK; RAC_EINVAL, with the time set, when operators have read the clock more or
///   less often since the last call than rac_virtual_plan_reading() says; RAC_EBUSY in jobs of
///   rac_virtual_advance_by() or when another thread is stepping it; RAC_ENULL, RAC_ESTALE,
///   RAC_EKIND. Since: 0.1
@discardableResult
@c public func rac_virtual_set_time(_ scheduler: CScheduler?, _ nanoseconds: Int64) -> rac_status {
  replaying(scheduler, Status.invalid, "the clock was read more or less often than planned") {
    $0.set(nanoseconds)
  }
}

/// Has an operator that reads the clock find this time, and the clock stay there: the first after
/// those that are planned already. rac_virtual_set_time() forgets what was planned and not read.
///
/// - Parameter scheduler: borrowed; a virtual one.
/// - Parameter nanoseconds: the time, which may be before that of the clock.
/// - Returns: RAC_OK; RAC_ENOMEM; RAC_EBUSY in jobs of rac_virtual_advance_by() or when another
///   thread is stepping it; RAC_ENULL, RAC_ESTALE, RAC_EKIND. Since: 0.1
@discardableResult
@c public func rac_virtual_plan_reading(
  _ scheduler: CScheduler?, _ nanoseconds: Int64
) -> rac_status {
  replaying(scheduler, Status.noMemory, "not enough memory") { $0.plan(nanoseconds) }
}

/// Runs the job with that deadline, before others that are due earlier; of several the one that
/// came first. The clock stays where it is.
///
/// - Parameter scheduler: borrowed; a virtual one.
/// - Parameter nanoseconds: its deadline; negative: the next job that has none. Of what
///   rac_signal_deliver_on() has gathered it delivers one value.
/// - Returns: RAC_OK; RAC_EINVAL when there is no such job; RAC_ERANGE when jobs that step are
///   nested too deeply for the stack; RAC_EBUSY when another thread is stepping it; RAC_ENULL,
///   RAC_ESTALE, RAC_EKIND. Since: 0.1
@discardableResult
@c public func rac_virtual_step_due(_ scheduler: CScheduler?, _ nanoseconds: Int64) -> rac_status {
  if Border.isTooDeep(toRun: #function) { return Border.refused() }
  return replaying(scheduler, Status.invalid, "no job has that deadline") {
    $0.step(dueAt: nanoseconds)
  }
}

/// `body`: false for the failure given.
private func replaying(
  _ scheduler: CScheduler?, _ status: rac_status, _ message: StaticString,
  _ function: StaticString = #function, _ body: (VirtualScheduler) -> Bool?
) -> rac_status {
  Border.check(scheduler, .virtual, as: VirtualScheduler.self, function) {
    switch body($0) {
    case true?: return Status.ok
    case false?: return Failure.record(status, message, in: function)
    case nil:
      return Failure.record(
        Status.busy, "time is advancing, or another thread steps the scheduler", in: function)
    }
  }
}

private func withVirtual(
  _ scheduler: CScheduler?, _ function: StaticString = #function,
  _ body: (VirtualScheduler) -> rac_status?
) -> rac_status {
  Border.check(scheduler, .virtual, as: VirtualScheduler.self, function) {
    if Border.isTooDeep(toRun: function) { return Border.refused() }
    guard let status = body($0) else {
      return Failure.record(Status.busy, "another thread is stepping the scheduler", in: function)
    }
    return status < 0 ? Failure.record(status, "interrupted", in: function) : status
  }
}
