/// Runs the main scheduler until rac_main_stop().
///
/// One of its own jobs may run or drain it again, as the loop of a modal dialogue does: that runs
/// the other jobs that wait. The job's own work, such as the rest of the values that
/// rac_signal_deliver_on() delivers, goes on when it has returned.
///
/// - Returns: RAC_OK; RAC_EBUSY when another thread is running it; RAC_ERANGE when so many such
///   jobs lie in each other that the stack bears no more. May block. Since: 0.1
@discardableResult
@c public func rac_main_run() -> rac_status { run(until: nil) }

/// Runs the main scheduler for some time, or until rac_main_stop().
///
/// - Parameter seconds: 0 or more; 0 runs what is ready.
/// - Returns: as rac_main_run(); RAC_EINVAL. May block. Since: 0.1
@discardableResult
@c public func rac_main_run_for(_ seconds: Double) -> rac_status {
  guard let time = Border.duration(seconds) else { return Border.refused() }
  return run(until: Scheduler.main.plainNow.saturatingAdd(time))
}

/// Runs the main scheduler until a signal sends its first value or ends, as take_until does, or
/// until rac_main_stop(): a program that runs until a signal of its own says so.
///
/// - Parameter signal: borrowed; subscribed to here, disposed before this returns. To wait for its
///   end, give rac_signal_ignore_values() of it.
/// - Parameter error: gets the error, owned, with RAC_ESTREAM, and nil otherwise; may be NULL.
/// - Returns: RAC_OK after a value or a completion; RAC_ESTREAM when it failed; RAC_PENDING when
///   rac_main_stop() came first; RAC_EBUSY when another thread is running the main scheduler;
///   RAC_EDEADLK inside a callback or a job, one of the main scheduler's too; RAC_ENULL,
///   RAC_ESTALE, RAC_EKIND. May block. Since: 0.1
@discardableResult
@c public func rac_main_run_until(_ signal: CSignal?, _ error: COut<rac_value>?) -> rac_status {
  error?.pointee = .null
  guard Border.isReady() else { return Border.refused() }
  return Border.check(signal, .signals, as: Signal.self) {
    if Border.lacksRoom(for: $0) { return Border.refused() }
    let (status, value) = BlockingRead.firstRunningMain(of: $0, timeout: -1)
    if status == Status.stream, let error { error.pointee = value } else { value.release() }
    switch status {
    case Status.empty: return Status.ok
    case Status.timedOut: return Status.pending
    case Status.closed: return Border.refuseOver()
    case Status.busy: return refuseBusy()
    case Status.deadlock:
      return Failure.record(status, "running inside a callback would wait for itself")
    case Status.stream:
      return Failure.record(status, "the signal ended with an error")
    default: return status
    }
  }
}

/// Ends the run that is going on after the job that is running, or the next run as soon as it
/// starts.
///
/// - Returns: RAC_OK. Any thread. Since: 0.1
@discardableResult
@c public func rac_main_stop() -> rac_status {
  if Process.isOver { return Border.refuseOver() }
  Scheduler.main.stop()
  return Status.ok
}

/// A descriptor that is readable as long as the main scheduler has something to do. The same one
/// for the life of the process; level-triggered. Poll it for reading; do not read it or close it.
/// When another thread takes back what was about to run, or announces what has just run, it may be
/// readable once with nothing to do: rac_main_drain() then answers 0.
///
/// - Returns: a file descriptor; -1 with RAC_ENOMEM when the system has none left: it needs three.
///   The main scheduler works all the same, and a later call may succeed. Since: 0.1
@c public func rac_main_fd() -> Int32 {
  if Process.isOver {
    Border.refuseOver()
    return -1
  }
  let descriptor = Scheduler.main.descriptor
  if descriptor < 0 { Failure.record(Status.noMemory, "the system has no descriptors left") }
  return descriptor
}

/// Runs what is ready on the main scheduler, without waiting: first the timers that are due now,
/// then the others in the order they came. After timers at least one of the others runs before
/// timers go first again.
///
/// - Parameter max: at most so many values; one job of rac_signal_deliver_on() may carry many. A
///   job that delivers none counts as one, and so does an end; a batch of rac_subscribe_batches()
///   counts its values and is not cut. The others stay, in their order, and keep the descriptor
///   readable. 0 means all that are ready now, not those they cause.
/// - Returns: how many, more than `max` if the last was a batch; RAC_EBUSY and RAC_ERANGE as
///   rac_main_run(), which says what a job may do. Since: 0.1
@discardableResult
@c public func rac_main_drain(_ max: CSize) -> Int64 {
  guard mayRun() else { return Int64(Border.refused()) }
  let limit = Border.count(max)
  let count = limit == 0 ? Scheduler.main.drain() : Scheduler.main.drain(atMost: limit)
  return count.map { Int64($0) } ?? Int64(refuseBusy())
}

/// Runs what is ready on the main scheduler, and what becomes ready meanwhile, for some time. It is
/// for a host whose own work must not wait for long, however much is ready. It looks at the clock
/// after each value.
///
/// The order is that of rac_main_drain(): timers that become due meanwhile run in the next call.
///
/// - Parameter seconds: 0 or more. At least one value or job is run; a callback that takes longer
///   is not interrupted.
/// - Returns: how many, counted as in rac_main_drain(); RAC_EINVAL; RAC_EBUSY and RAC_ERANGE as
///   rac_main_run(). Since: 0.1
@discardableResult
@c public func rac_main_drain_for(_ seconds: Double) -> Int64 {
  guard let time = Border.duration(seconds), mayRun() else { return Int64(Border.refused()) }
  let count = Scheduler.main.drain(until: Scheduler.main.plainNow.saturatingAdd(time))
  return count.map { Int64($0) } ?? Int64(refuseBusy())
}

private func run(until deadline: Int64?, _ function: StaticString = #function) -> rac_status {
  guard mayRun(function) else { return Border.refused() }
  if !Scheduler.main.run(until: deadline) { return refuseBusy(function) }
  return Process.isClosed ? Border.refuseOver(function) : Status.ok
}

private func mayRun(_ function: StaticString = #function) -> Bool {
  if Process.isOver {
    Border.refuseOver(function)
    return false
  }
  return !Border.isTooDeep(toRun: function)
}

private func refuseBusy(_ function: StaticString = #function) -> rac_status {
  Failure.record(Status.busy, "another thread is running the main scheduler", in: function)
}
