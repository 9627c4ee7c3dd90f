import CRACShims

/// Schedulers in a recording: which jobs were asked for, when each began and ended, and
/// how late timers are. Asked for by one look at a flag where a job comes, and one for each row of
/// jobs that are run.
extension Scheduler {
  /// Its node, made when somebody first asks.
  private final func recordedNode(_ thread: Thread) -> rac_node {
    Diagnostics.shared.nameLock.locked {
      if recorded.number != 0, rac_node_has_slot(recorded) { return recorded }
      recorded = makeNode(thread)
      return recorded
    }
  }

  private final func makeNode(_ thread: Thread) -> rac_node {
    var facts = rac_node_facts()
    facts.kind = UInt8(RAC_NODE_SCHEDULER)
    facts.detail = recordedKind
    facts.name = SignalName.record((self as? QueueScheduler)?.name)
    return rac_recording_make(thread, &facts)
  }

  @inline(never)
  final func recordAsked(_ job: Job) {
    let thread = currentThread()
    let node = recordedNode(thread)
    rac_node_queues(thread, node)
    tell(RAC_RECORDED_JOB_ASKED, node, job, 0, thread)
  }

  /// Runs the job, which this scheduler has taken out of its queue.
  @inline(never)
  final func recordRun(_ job: Job, _ run: () -> Int) -> Int {
    let thread = currentThread()
    let node = recordedNode(thread)
    rac_node_dequeues(node)
    rac_node_count(node)
    tell(RAC_RECORDED_JOB_BEGINS, node, job, 0, thread)
    let start = rac_shim_now()
    let count = run()
    let time = rac_shim_now() &- start
    rac_node_takes(node, time)
    tell(RAC_RECORDED_JOB_ENDS, node, job, time, thread)
    return count
  }

  /// Performs a job that was taken out of the queue, up to a number of its values.
  @inline(never)
  final func recordRun(_ job: Job, atMost limit: Int) -> Portion {
    var portion = Portion(count: 0)
    _ = recordRun(job) {
      portion = job.perform(atMost: limit)
      return portion.count
    }
    return portion
  }

  /// A job that was taken back comes out of the queue: 0.
  @inline(never)
  @discardableResult
  final func leaveOut(_ job: Job) -> Int {
    rac_node_dequeues(recordedNode(currentThread()))
    job.recordTakenBack()
    return 0
  }

  private final func tell(
    _ kind: Int, _ node: rac_node, _ job: Job, _ bits: Int64, _ thread: Thread
  ) {
    guard rac_recording_is_wanted() else { return }
    rac_recording_event(
      thread, UInt8(truncatingIfNeeded: kind), node.number, job.recordedKey,
      UInt64(bitPattern: bits))
  }

  fileprivate final func recordTimer(_ kind: Int, _ job: Job, _ deadline: Int64) {
    let thread = currentThread()
    tell(kind, recordedNode(thread), job, rac_recording_time_of(deadline), thread)
  }
}

extension Job {
  fileprivate final var recordedKey: UInt32 {
    UInt32(truncatingIfNeeded: UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) &>> 4)
  }

  /// A timer was asked for, or has fired. Those of a virtual clock are no news: it is read from its
  /// jobs.
  @inline(never)
  final func recordTimer(_ kind: Int, _ deadline: Int64) {
    guard rac_recording_is_wanted() else { return }
    (timers as? Scheduler)?.recordTimer(kind, self, deadline)
  }

  @inline(never)
  final func recordTakenBack() {
    guard rac_recording_is_wanted() else { return }
    rac_recording_event(
      currentThread(), UInt8(RAC_RECORDED_JOB_TAKEN_BACK), 0, recordedKey, 0)
  }
}
