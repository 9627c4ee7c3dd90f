import CRACShims
import Synchronization

/// The host's scheduler: nothing runs on it until the host runs or drains it.
/// RACScheduler's mainThreadScheduler.
///
/// Its descriptor is an epoll set over an eventfd (work waits) and a timerfd (the next deadline), both
/// level-triggered: it is readable exactly as long as a drain would find something to do. It is opened
/// when a host first asks for it; a run sleeps on a futex and needs none.
final class MainScheduler: Scheduler {
  private let queue = JobQueue()
  private let timers = TimerQueue()
  private let lock = Lock()
  private var wakeup = rac_wakeup(poll_fd: -1, event_fd: -1, timer_fd: -1)
  private let isOpen = Atomic<Bool>(false)
  /// What the timerfd is set to; 0 when it is off. Written under the lock.
  private let armed = Atomic<Int64>(0)
  /// A drain left jobs behind.
  private let hasLeftovers = Atomic<Bool>(false)
  private let stops = Atomic<UInt32>(0)
  /// 1 while a run sleeps, which is then woken here and not through the descriptor.
  private let nap = Atomic<UInt32>(0)
  /// The thread inside run or drain.
  private let runner = Atomic<UInt>(0)

  override func schedule(_ job: Job) {
    if queue.push(job) { signal() }
  }

  override func tryToSchedule(_ job: Job, at deadline: Int64) -> Bool {
    switch timers.insert(job, at: deadline) {
    case .refused: return false
    case .waits: return true
    case .isFirst:
      arm()
      endNap()
      return true
    }
  }

  override var timerHome: TimerHome? { self }

  override func cancelTimer(_ job: Job) -> Bool {
    let cancellation = timers.cancel(job)
    // The descriptor must not become readable for a deadline that is gone.
    if cancellation == .removedFirst { arm() }
    return cancellation != .missing
  }

  /// Wakes the run that sleeps, or makes the descriptor readable. Only the first job that comes while
  /// nobody looks has to.
  private func signal() {
    if endNap() { return }
    // Of the job that came before this and the look at the jobs when the descriptor is opened, one sees
    // the other.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if isOpen.load(ordering: .acquiring) {
      withUnsafePointer(to: wakeup) { rac_shim_wakeup_signal($0) }
    }
  }

  @discardableResult
  private func endNap() -> Bool {
    // An exchange, so that of this and the look after falling asleep, one sees the other.
    guard nap.exchange(0, ordering: .acquiringAndReleasing) == 1 else { return false }
    rac_shim_futex_wake(atomicAddress(nap), 1)
    return true
  }

  private func clearSignal() {
    if isOpen.load(ordering: .acquiring) {
      withUnsafePointer(to: wakeup) { rac_shim_wakeup_clear($0) }
    }
  }

  /// Sets the timerfd to the first deadline, but not before some time.
  private func arm(notBefore: Int64 = 1, isExpired: Bool = false) {
    guard isOpen.load(ordering: .sequentiallyConsistent) else { return }
    lock.lock()
    // Under the lock, so that of two threads the one with the later news comes last.
    let deadline = timers.firstDeadline.map { max(notBefore, $0) } ?? 0
    if deadline != armed.load(ordering: .relaxed) || isExpired {
      armed.store(deadline, ordering: .relaxed)
      withUnsafePointer(to: wakeup) { rac_shim_wakeup_arm($0, deadline) }
    }
    lock.unlock()
  }

  /// The descriptor to poll, or -1 when the system has none left just now.
  var descriptor: Int32 {
    if isOpen.load(ordering: .acquiring) { return wakeup.poll_fd }
    lock.lock()
    let isNew = wakeup.poll_fd < 0 && rac_shim_wakeup_open(&wakeup)
    let descriptor = wakeup.poll_fd
    if isNew { isOpen.store(true, ordering: .sequentiallyConsistent) }
    lock.unlock()
    if isNew { announce() }
    return descriptor
  }

  /// What came before the descriptor was open makes it readable too.
  private func announce() {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if timeToNext == 0 { signal() }
    arm()
  }

  // MARK: Running

  /// Runs what waits, at most `limit` jobs; 0 means all that is there at the start. The number of jobs
  /// run, or nil when another thread is running this scheduler.
  func drain(_ limit: Int) -> Int? {
    guard enter() else { return nil }
    _ = Staff.isShort()
    clearSignal()
    let count = runReady(limit)
    leave()
    return count
  }

  /// nil deadline: until stopped, or until a job has made it over. False when another thread is running
  /// this scheduler.
  func run(until deadline: Int64?, unless isOver: () -> Bool = { false }) -> Bool {
    guard enter() else { return false }
    clearSignal()
    while true {
      _ = runReady(0)
      if isOver() { break }
      if stops.exchange(0, ordering: .acquiringAndReleasing) != 0 { break }
      if queue.hasArrivals {
        // They came during a job, and wrote to the descriptor, which the job might have been polling.
        clearSignal()
        continue
      }
      let now = rac_shim_now()
      if let deadline, now >= deadline { break }
      if !waitAwake() { sleep(deadline ?? .max, now) }
    }
    // What was written and not needed, or is needed again.
    clearSignal()
    if queue.hasArrivals { signal() }
    leave()
    return true
  }

  /// False when nothing came.
  private func waitAwake() -> Bool {
    guard patience.isWorthwhile, queue.stayAwake() else { return false }
    let isOver = patience.wait { queue.hasArrivals || stops.load(ordering: .relaxed) != 0 }
    return isOver || !queue.fallAsleep()
  }

  /// Until something comes, or the first deadline.
  private func sleep(_ deadline: Int64, _ now: Int64) {
    _ = nap.exchange(1, ordering: .acquiringAndReleasing)
    let wake = Staff.limit(min(deadline, max(gathersUntil, timers.firstDeadline ?? .max)))
    let isNeeded = !queue.hasArrivals && stops.load(ordering: .acquiring) == 0
    if isNeeded && wake > now {
      _ = rac_shim_futex_wait(atomicAddress(nap), 1, wake)
      patience.slept(since: now)
    }
    _ = nap.exchange(0, ordering: .acquiringAndReleasing)
  }

  func wakeForStaff() { signal() }

  /// Ends the run that is going on, or the next one as soon as it starts.
  func stop() {
    stops.store(1, ordering: .releasing)
    // A job of the run that is going on need not wake it.
    if runner.load(ordering: .relaxed) != currentThread().token { signal() }
  }

  /// Nanoseconds until there is something to do: 0 now, nil never.
  var timeToNext: Int64? {
    if queue.hasArrivals || hasLeftovers.load(ordering: .acquiring) { return 0 }
    return timers.firstDeadline.map { max(0, $0 &- rac_shim_now()) }
  }

  /// The same thread may come in again from a job.
  private func enter() -> Bool {
    let me = currentThread().token
    let (free, owner) = runner.compareExchange(
      expected: 0, desired: me, ordering: .acquiringAndReleasing)
    guard free || owner == me else { return false }
    nesting &+= 1
    return true
  }

  private func leave() {
    nesting &-= 1
    if nesting == 0 { runner.store(0, ordering: .releasing) }
  }

  /// The runner's own.
  private var nesting = 0
  private var patience = Patience()
  /// No deadline wakes it before.
  private var gathersUntil: Int64 = 1

  private func runReady(_ limit: Int) -> Int {
    takeDueTimers()
    queue.gather()
    var left = limit == 0 ? queue.readyCount : limit
    var count = 0
    asCurrent {
      while left > 0 {
        // A limit counts also what came meanwhile.
        if queue.readyCount == 0 { queue.gather() }
        guard let job = queue.popReady() else { break }
        // One that was taken back is no part of a slice, but of what was there at the start.
        if job.isDisposed {
          if limit == 0 { left &-= 1 }
          continue
        }
        job.perform()
        count &+= 1
        left &-= 1
      }
    }
    let leavesSome = queue.readyCount > 0
    hasLeftovers.store(leavesSome, ordering: .releasing)
    if leavesSome { signal() }
    return count
  }

  private func takeDueTimers() {
    let armed = armed.load(ordering: .relaxed)
    guard armed != 0 || timers.firstDeadline != nil else { return }
    let now = rac_shim_now()
    var hasFired = false
    while true {
      let due = timers.takeDue(now)
      if due == 0 { break }
      hasFired = true
      queue.append(due)
    }
    // Right after some have passed, those that are close are gathered, as on the timer thread.
    let isNear = hasFired && (timers.firstDeadline ?? .max) &- now < TimerThread.nearness
    gathersUntil = isNear ? now &+ TimerThread.gathering : 1
    // The timerfd stays readable until it is set again.
    if hasFired || (armed != 0 && armed <= now) { arm(notBefore: gathersUntil, isExpired: true) }
  }
}
