/// The scheduler that runs jobs on the spot.
///
/// - Returns: one reference. RAC: +immediateScheduler. Since: 0.1
@c public func rac_scheduler_immediate() -> CScheduler? { Scheduler.immediateHandle }

/// The host's scheduler: its jobs run when the host runs or drains it. See rac_main_run().
///
/// - Returns: one reference. RAC: +mainThreadScheduler. Since: 0.1
@c public func rac_scheduler_main() -> CScheduler? { Scheduler.mainHandle }

/// A new scheduler whose jobs run in order on the library's threads.
///
/// - Parameter priority: RAC_PRIORITY_…; among waiting schedulers the higher goes first.
/// - Parameter name: borrowed, copied, not checked; for debugging. May be NULL.
/// - Returns: one reference; NULL with RAC_ENOMEM, also where the system gives no thread. Jobs that
///   wait run even if it is released. RAC: +schedulerWithPriority:name:. Since: 0.1
@c public func rac_scheduler_background(_ priority: Int32, _ name: CString?) -> CScheduler? {
  if Process.isOver { return Border.none(Border.refuseOver()) }
  guard WorkerPool.shared.start() || Border.refuseThread() else { return nil }
  return give { BackgroundScheduler(priority: priority, name: name.map { SignalName($0) }) }
}

/// The scheduler whose job the calling thread is running; the main one on the main thread; the
/// immediate one on an attached thread.
///
/// - Returns: one reference, to be released, in the handle you know it by; NULL, without an error,
///   where there is none, and with RAC_ENOMEM.
///   RAC: +currentScheduler. Since: 0.1
@c public func rac_scheduler_current() -> CScheduler? {
  guard let current = Scheduler.current else { return nil }
  if current === Scheduler.main { return Scheduler.mainHandle }
  if current === Scheduler.immediate { return Scheduler.immediateHandle }
  return Border.isReady() ? Border.given(current.makeHandle()) : nil
}

/// A new scheduler whose time stands still until it is told to pass: for tests and simulations.
///
/// - Returns: one reference; its clock is at 0. RAC: RACTestScheduler. Since: 0.1
@c public func rac_scheduler_virtual() -> CScheduler? {
  give { VirtualScheduler() }
}

/// A new scheduler whose jobs run in order on a queue, or a pool of threads, of yours. Jobs with a
/// delay join the others when their time has come.
///
/// When there is work `enqueue` is called, by whichever thread brings it, also the one that waits
/// for delays and also inside callbacks. It must not block: it has the queue call
/// rac_scheduler_take_turn() once, soon, on any thread. Until that turn has found nothing left to
/// do, `enqueue` is not called again but for another turn.
///
/// - Parameter name: borrowed, copied, not checked; for debugging. May be NULL.
/// - Parameter context: passed to the callbacks.
/// - Parameter enqueue: gets the scheduler, lent; retain it until the turn has been taken. If the
///   last reference goes before, the jobs that wait are disposed.
/// - Parameter destroy: runs when the scheduler has gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL.
///   RAC: RACTargetQueueScheduler, RACQueueScheduler. Since: 0.1
@c public func rac_scheduler_over_queue(
  _ name: CString?, _ context: CContext?, _ enqueue: rac_enqueue_fn?, _ destroy: rac_destroy_fn?
) -> CScheduler? {
  guard let context = Border.context(context, destroy) else { return nil }
  guard let enqueue else { return Border.fail(Status.null, "enqueue is NULL") }
  return give { HostedScheduler(name.map { SignalName($0) }, context, enqueue) }
}

/// Runs what waits on a scheduler over a queue of yours, as its current scheduler. Takes turns that
/// were not asked for, and several at a time, of which one runs the jobs.
///
/// - Parameter scheduler: borrowed; from rac_scheduler_over_queue().
/// - Parameter max: at most so many values and other jobs, counted as in rac_main_drain(), those
///   they cause included; another turn is asked for when some are left. 0 means 256.
/// - Returns: how many, more than `max` when the next turn came early or the last was a batch, 0
///   when another turn is under way; RAC_ENULL, RAC_ESTALE, RAC_EKIND. Since: 0.1
@discardableResult
@c public func rac_scheduler_take_turn(_ scheduler: CScheduler?, _ max: CSize) -> Int64 {
  Border.use(
    scheduler, .hosted, as: HostedScheduler.self,
    otherwise: { Int64($0) }, { Int64($0.takeTurn(max == 0 ? 256 : Border.count(max))) })
}

/// Runs an action on a scheduler as soon as its turn comes.
///
/// - Parameter scheduler: borrowed.
/// - Parameter context: passed to the callbacks, one at a time.
/// - Parameter action: the work.
/// - Parameter destroy: runs after the action, or when the job is disposed before; may be NULL.
/// - Returns: one reference to the disposable that takes the job back; NULL with RAC_ENULL,
///   RAC_ESTALE, RAC_EKIND, or RAC_ENOMEM when the system has no memory for it;
///   RAC_ERANGE when it is the immediate one and the stack is full of jobs that schedule each
///   other. Any thread. RAC: -schedule:. Since: 0.1
@c public func rac_schedule(
  _ scheduler: CScheduler?, _ context: CContext?, _ action: rac_action_fn?,
  _ destroy: rac_destroy_fn?
) -> CDisposable? {
  withJob(scheduler, dated: false, context, action, destroy) { $0.schedule($1) }
}

/// Runs an action on a scheduler after some time, measured by the scheduler's clock. Real clocks
/// are monotonic. The immediate scheduler sleeps, as in RAC. Times beyond 146 years count as 146
/// years.
///
/// - Parameter scheduler: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter context: passed to the callbacks, one at a time.
/// - Parameter action: the work.
/// - Parameter destroy: runs after the action, or when the job is disposed before; may be NULL.
/// - Returns: as rac_schedule(); NULL also with RAC_EINVAL, and with RAC_ENOMEM when the system
///   gives no thread. May block, on the immediate scheduler. RAC: -afterDelay:schedule:. Since: 0.1
@c public func rac_schedule_after(
  _ scheduler: CScheduler?, _ seconds: Double, _ context: CContext?, _ action: rac_action_fn?,
  _ destroy: rac_destroy_fn?
) -> CDisposable? {
  // Here, for speed; Border says why one is none.
  guard let delay = Duration.nanoseconds(seconds) ?? Border.duration(seconds) else {
    Border.destroy(context, destroy)
    return nil
  }
  return withJob(scheduler, dated: true, context, action, destroy) {
    $0.schedule($1, after: delay)
  }
}

/// Runs an action on a scheduler again and again until disposed. Times are counted from the first
/// one; those missed because the scheduler was busy are left out.
///
/// - Parameter scheduler: borrowed; not the immediate one.
/// - Parameter first_after: seconds until the first time, 0 or more.
/// - Parameter interval: seconds between times, more than 0.
/// - Parameter leeway: seconds by which a time may be late, 0 or more, so that the
///   times of several jobs fall together. Not used by virtual schedulers, which are exact.
/// - Parameter context: passed to the callbacks, one at a time.
/// - Parameter action: the work.
/// - Parameter destroy: runs after the last time; may be NULL.
/// - Returns: as rac_schedule(), or NULL with RAC_EINVAL.
///   RAC: -after:repeatingEvery:withLeeway:schedule:. Since: 0.1
@c public func rac_schedule_repeating(
  _ scheduler: CScheduler?, _ first_after: Double, _ interval: Double, _ leeway: Double,
  _ context: CContext?, _ action: rac_action_fn?, _ destroy: rac_destroy_fn?
) -> CDisposable? {
  guard let context = Border.context(context, destroy),
    let delay = Border.duration(first_after), let interval = Border.duration(interval),
    let leeway = Border.duration(leeway)
  else { return nil }
  if interval == 0 { return Border.fail(Status.invalid, "the interval is zero") }
  guard let action else { return Border.fail(Status.null, "action is NULL") }
  return Border.use(scheduler, .schedulers, as: Scheduler.self) { scheduler in
    if scheduler === Scheduler.immediate {
      return Border.fail(Status.invalid, "the immediate scheduler cannot repeat")
    }
    guard Border.keepsTime(scheduler) else { return nil }
    let job = RepeatingJob(
      scheduler, interval: interval, leeway: leeway, context, action)
    job.start(after: delay)
    return Border.given(Handles.make(job, .plainDisposable))
  }
}

/// Runs an action that may ask to be run again with rac_reschedule(), from inside or at any time
/// later. However often it does, the stack does not grow.
///
/// - Parameter scheduler: borrowed.
/// - Parameter context: passed to the callbacks, one at a time.
/// - Parameter action: gets the handle to ask with, lent.
/// - Parameter destroy: runs when the action cannot be run any more; may be NULL.
/// - Returns: one reference to the disposable that stops it; NULL with RAC_ENULL, RAC_ESTALE or
///   RAC_EKIND. RAC: -scheduleRecursiveBlock:. Since: 0.1
@c public func rac_schedule_recursive(
  _ scheduler: CScheduler?, _ context: CContext?, _ action: rac_recursive_fn?,
  _ destroy: rac_destroy_fn?
) -> CDisposable? {
  guard let context = Border.context(context, destroy) else { return nil }
  guard let action else { return Border.fail(Status.null, "action is NULL") }
  return Border.use(scheduler, .schedulers, as: Scheduler.self) { scheduler in
    guard Border.hasRoom(on: scheduler) else { return nil }
    let recursion = Recursion(scheduler, context, action)
    let handle = Border.given(Handles.make(recursion.scope, .plainDisposable))
    recursion.request()
    return handle
  }
}

/// Asks for one more run of a recursive action.
///
/// - Parameter recursion: borrowed.
/// - Returns: RAC_OK; RAC_EDONE when it was disposed; RAC_ENULL, RAC_ESTALE, RAC_EKIND. Any thread.
///   Since: 0.1
@discardableResult
@c public func rac_reschedule(_ recursion: CRecursion?) -> rac_status {
  Border.check(recursion, .recursion, as: Recursion.self) {
    if $0.request() { return Status.ok }
    return Failure.record(Status.done, "it was disposed")
  }
}

/// The time on a scheduler's clock, in seconds. A virtual one starts at 0; the others show the
/// system's monotonic clock. A recording has the readings of operators, and not those of this
/// function.
///
/// - Parameter scheduler: borrowed.
/// - Returns: seconds; -1 with RAC_ENULL, RAC_ESTALE, RAC_EKIND. Since: 0.1
@c public func rac_scheduler_now(_ scheduler: CScheduler?) -> Double {
  Border.use(
    scheduler, .schedulers, as: Scheduler.self, otherwise: { _ in -1 },
    { Duration.seconds($0.plainNow) })
}

/// How long the main scheduler or a virtual one can be left alone: for hosts that cannot poll a
/// descriptor, or step a virtual one in portions.
///
/// - Parameter scheduler: borrowed.
/// - Returns: seconds by its clock until the next job; 0 when one is ready; -1 when there is none,
///   and with RAC_EKIND for another scheduler, RAC_ENULL or RAC_ESTALE. Any thread. Since: 0.1
@c public func rac_scheduler_next_deadline(_ scheduler: CScheduler?) -> Double {
  if Process.isOver { return -1 }
  return Border.use(scheduler, .schedulers, as: Scheduler.self, otherwise: { _ in -1 }) {
    let time: Int64?
    if $0 === Scheduler.main {
      time = Scheduler.main.timeToNext
    } else if let virtual = $0 as? VirtualScheduler {
      time = virtual.timeToNext
    } else {
      Failure.record(Status.kind, "the scheduler is run by others than the host")
      return -1
    }
    return time.map { Duration.seconds($0) } ?? -1
  }
}

private func give(_ function: StaticString = #function, _ make: () -> Scheduler) -> CScheduler? {
  Border.isReady(function) ? Border.given(make().makeHandle()) : nil
}

private func withJob(
  _ scheduler: CScheduler?, dated: Bool, _ context: CContext?, _ action: rac_action_fn?,
  _ destroy: rac_destroy_fn?, _ function: StaticString = #function,
  _ schedule: (Scheduler, ActionJob) -> Void
) -> CDisposable? {
  guard let action else {
    defer { Border.destroy(context, destroy) }
    return Border.fail(Status.null, "action is NULL", in: function)
  }
  return Border.use(
    scheduler, .schedulers, as: Scheduler.self, function,
    otherwise: {
      Border.destroy(context, destroy)
      return Border.none($0)
    }
  ) { scheduler in
    guard Border.isReady(function), Border.hasRoom(on: scheduler, function),
      !dated || Border.keepsTime(scheduler, function)
    else {
      Border.destroy(context, destroy)
      return nil
    }
    // The handle's own reference.
    let job = Unmanaged<Object>.passRetained(ActionJob(context, destroy, action))
    job._withUnsafeGuaranteedRef { schedule(scheduler, unsafeDowncast($0, to: ActionJob.self)) }
    return Border.given(Handles.makeHere(owned: job, .plainDisposable, in: Slots.allocate()))
  }
}
