import CRACShims

/// A serial queue that somebody has to be woken for. RACQueueScheduler.
class QueueScheduler: Scheduler {
  final let queue = JobQueue()
  final let name: SignalName?

  init(_ name: SignalName?) { self.name = name }

  /// Has somebody run what is in the queue. Called once until the queue has fallen asleep again.
  func wake() {}

  /// The library is closed, and this thread owns the queue: drops the waiting jobs.
  @inline(never)
  final func dropJobs() {
    repeat {
      queue.dropAll()
    } while !queue.fallAsleep()
  }

  override final func schedule(_ job: Job) {
    if rac_recording_is_on() { recordAsked(job) }
    if queue.push(job) { wake() }
  }

  override final var mailbox: UnsafeRawPointer? { queue.mailbox }
  override final func expect(_ place: UnsafeRawPointer?) { queue.expected = place }

  override final func schedule(_ job: Job, at deadline: Int64) {
    TimerThread.insert(job, at: deadline)
  }

  override final func keepsTime() -> Bool { TimerThread.start() }

  /// Keeps the scheduler alive, and tells the timer thread where the job goes.
  override final var timerHome: TimerHome? { self }
  override final func cancelTimer(_ job: Job) -> Bool { TimerThread.cancel(job) }

  override final var recordedKind: UInt16 { kind == .hosted ? 5 : 3 }

  /// Also when the library is closed, for the library's own jobs.
  var isForChores: Bool { false }
  private final var goesOn: Bool {
    @inline(__always) get { !Process.isOver || (isForChores && Process.isClosed) }
  }

  /// Runs jobs, those that come meanwhile included, up to a number. One thread at a time. A
  /// recording is looked for once.
  final func runJobs(_ limit: Int) {
    if rac_recording_is_on() { return runRecordedJobs(limit) }
    var left = limit
    asCurrent {
      while left > 0, goesOn, let job = queue.pop() {
        left &-= job._withUnsafeGuaranteedRef {
          if $0.isDisposed { return 0 }
          $0.perform()
          return 1
        }
        job.drop()
      }
    }
  }

  @inline(never)
  private final func runRecordedJobs(_ limit: Int) {
    var left = limit
    asCurrent {
      while left > 0, goesOn, let job = queue.pop() {
        left &-= job._withUnsafeGuaranteedRef {
          $0.isDisposed ? leaveOut($0) : recordRun($0) { performed(job) }
        }
        job.drop()
      }
    }
  }

  private final func performed(_ job: Unmanaged<Job>) -> Int {
    job._withUnsafeGuaranteedRef { $0.perform() }
    return 1
  }

  /// The same with each value counted as a job: how many; more than the limit when the last one was
  /// a batch.
  final func runSlice(_ limit: Int) -> Int {
    rac_recording_is_on() ? runRecordedSlice(limit) : runSlice(limit, isRecorded: false)
  }

  @inline(never)
  private final func runRecordedSlice(_ limit: Int) -> Int { runSlice(limit, isRecorded: true) }

  @inline(__always)
  private final func runSlice(_ limit: Int, isRecorded: Bool) -> Int {
    var count = 0
    asCurrent {
      while count < limit, goesOn, let job = queue.pop() {
        count &+= job._withUnsafeGuaranteedRef {
          if $0.isDisposed { return isRecorded ? leaveOut($0) : 0 }
          return isRecorded
            ? performRecorded($0, atMost: limit &- count, cutInto: queue)
            : perform($0, atMost: limit &- count, cutInto: queue)
        }
        job.drop()
      }
    }
    return count
  }
}
