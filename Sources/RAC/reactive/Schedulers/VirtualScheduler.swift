import CRACShims
import Synchronization

/// A scheduler whose time passes only when it is told to. RACTestScheduler, and past it.
///
/// Jobs run in the calling thread, ordered by deadline and then by arrival; plain jobs run before
/// dated ones, as in RAC.
final class VirtualScheduler: Scheduler {
  private let timers = TimerQueue()
  private let clock = Atomic<Int64>(0)
  private let runner = Atomic<UInt>(0)
  private let isOrphaned = Atomic<Bool>(false)

  override var recordedKind: UInt16 { 4 }
  override var kind: HandleKind { .virtual }
  override var timerHome: TimerHome? { timers }
  override var now: Int64 {
    hasPlan.load(ordering: .relaxed) ? takeReading() : plainNow
  }
  override var plainNow: Int64 { clock.load(ordering: .acquiring) }

  /// Before all dated ones, but behind one that goes on where it was cut.
  override func schedule(_ job: Job) { insert(job, at: .min &+ 1) }
  override func schedule(_ job: Job, at deadline: Int64) { insert(job, at: max(0, deadline)) }

  private func insert(_ job: Job, at deadline: Int64) {
    if rac_recording_is_on() { recordAsked(job) }
    timers.insert(job, at: deadline)
    if isOrphaned.load(ordering: .acquiring) { timers.clear() }
  }

  /// No thread can step it any more: drops the waiting jobs and all later ones. Unless a job has
  /// asked for the current scheduler when the last handle was gone. While one may, the running step
  /// keeps a handle that is gone, and comes by here when it is over. Of two threads that come at
  /// once the later one sees that the other's handle is gone, and that no step runs: the fence lies
  /// between the two.
  override func lastHandleReleased() {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let isSteppable = runner.load(ordering: .relaxed) != 0 || hasHandle
    if isSteppable && !Process.isClosed { return }
    isOrphaned.store(true, ordering: .releasing)
    timers.clear()
  }

  /// Nanoseconds until the next job; nil when there is none.
  var timeToNext: Int64? {
    let now = plainNow
    return timers.firstDeadline.map { max($0, now) &- now }
  }

  /// Runs up to `count` values and other jobs, earliest first, moving the clock to each. nil when
  /// another thread is stepping this scheduler; a failing status is the interruption hook's.
  func step(_ count: Int) -> rac_status? {
    exclusively {
      var left = count
      while left > 0, let done = self.runNext(upTo: .max, atMost: left) {
        left &-= done
        let status = left > 0 ? self.statusBetweenJobs(upTo: .max) : Status.ok
        if status < 0 { return status }
      }
      return Status.ok
    }
  }

  /// Runs everything due up to that time, the jobs it causes included, and leaves the clock there.
  /// As `step`; the clock of one that is stopped stays where it is.
  func advance(to time: Int64) -> rac_status? {
    exclusively {
      let wasAdvancing = isAdvancing
      isAdvancing = true
      defer { isAdvancing = wasAdvancing }
      while self.runNext(upTo: time, atMost: .max) != nil {
        let status = self.statusBetweenJobs(upTo: time)
        if status < 0 { return status }
      }
      if self.plainNow < time { self.clock.store(time, ordering: .releasing) }
      return Status.ok
    }
  }

  /// Moves the clock alone.
  func sleep(_ time: Int64) -> rac_status? {
    exclusively {
      self.clock.store(self.plainNow.saturatingAdd(time), ordering: .releasing)
      return Status.ok
    }
  }

  /// A failing one ends the call: the interruption hook's.
  @inline(__always)
  private func statusBetweenJobs(upTo time: Int64) -> rac_status {
    guard InterruptionHook.isSet, let next = timers.firstDeadline, next <= time else {
      return Status.ok
    }
    return InterruptionHook.status
  }

  /// How many; nil: there was none.
  private func runNext(upTo time: Int64, atMost limit: Int) -> Int? {
    while !Process.isOver, let (held, deadline) = timers.popDue(time) {
      let job = held.takeRetainedValue()
      // Taken back: no step.
      if job.isDisposed { continue }
      if deadline > plainNow { clock.store(deadline, ordering: .releasing) }
      return run(job, atMost: limit)
    }
    return nil
  }

  private func run(_ job: Job, atMost limit: Int) -> Int {
    var portion = Portion(count: 0)
    let isRecorded = rac_recording_is_on()
    asCurrent {
      portion = isRecorded ? recordRun(job, atMost: limit) : job.perform(atMost: limit)
    }
    if portion.isCut { insert(job, at: .min) }
    return portion.count
  }

  // MARK: Replays

  /// Time is advancing to some moment. Its runner's.
  @exclusivity(unchecked) private var isAdvancing = false

  /// Readings for operators that ask for the time, and how many of them nobody has asked for yet.
  private let planLock = Lock()
  @exclusivity(unchecked) private var planned = Ring<Int64>()
  @exclusivity(unchecked) private var unread = 0
  private let hasPlan = Atomic<Bool>(false)

  /// Not while time advances to some moment: a job that repeats and sets the clock back would run
  /// for ever. nil: then, or another thread is stepping this scheduler.
  private func whileTimeStands(_ body: () -> Bool) -> Bool? {
    var answer: Bool?
    _ = exclusively {
      if !isAdvancing { answer = body() }
      return Status.ok
    }
    return answer
  }

  /// Sets the clock. False: what was planned was not what was read.
  func set(_ time: Int64) -> Bool? {
    whileTimeStands {
      clock.store(time, ordering: .releasing)
      return planLock.locked {
        let isAsPlanned = unread == 0
        unread = 0
        while planned.count > 0 { planned.dropOldest() }
        return isAsPlanned
      }
    }
  }

  /// False: there is no memory.
  func plan(_ time: Int64) -> Bool? {
    whileTimeStands {
      hasPlan.store(true, ordering: .relaxed)
      return planLock.locked {
        guard planned.append(time) else { return false }
        unread &+= 1
        return true
      }
    }
  }

  @inline(never)
  private func takeReading() -> Int64 {
    planLock.locked {
      unread &-= 1
      guard planned.count > 0 else { return plainNow }
      let time = planned[0]
      planned.dropOldest()
      clock.store(time, ordering: .releasing)
      return time
    }
  }

  /// Runs the first job with that deadline, or for a negative one the next that has none, before
  /// those that are due earlier. False: there is none.
  func step(dueAt deadline: Int64) -> Bool? {
    var isThere = false
    let status = exclusively {
      while !isThere, !Process.isOver,
        let held = timers.popFirst(
          from: deadline < 0 ? .min : deadline, to: deadline < 0 ? .min &+ 1 : deadline)
      {
        let job = held.takeRetainedValue()
        if job.isDisposed { continue }
        isThere = true
        _ = run(job, atMost: 1)
      }
      return Status.ok
    }
    return status.map { _ in isThere }
  }

  /// One thread at a time; that thread may come in again from a job.
  private func exclusively(_ body: () -> rac_status) -> rac_status? {
    let me = currentThread().token
    let (free, owner) = runner.replace(0, with: me)
    guard free || owner == me else { return nil }
    let status = body()
    if free { runner.store(0, ordering: .releasing) }
    return status
  }

  deinit { timers.clear() }
}
