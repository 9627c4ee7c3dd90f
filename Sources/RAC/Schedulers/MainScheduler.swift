import CRACShims
import Synchronization

/// The host's scheduler: nothing runs on it until the host runs or drains it.
/// RACScheduler's mainThreadScheduler.
///
/// Its descriptor is an epoll set over an eventfd (work waits) and a timerfd (the next deadline), both
/// level-triggered: it is readable exactly as long as a drain would find something to do.
final class MainScheduler: Scheduler {
  private let queue = JobQueue()
  private let timers = TimerQueue()
  private let lock = Lock()
  private var wakeup = rac_wakeup(poll_fd: -1, event_fd: -1, timer_fd: -1)
  /// What the timerfd is set to; 0 when it is off. Written under the lock.
  private var armed: Int64 = 0
  /// The eventfd has been written since the last drain.
  private let signalled = Atomic<Bool>(false)
  private let stops = Atomic<UInt32>(0)
  /// The thread inside run or drain.
  private let runner = Atomic<UInt>(0)

  override func schedule(_ job: Job) {
    queue.push(job)
    signal()
  }

  override func schedule(_ job: Job, at deadline: Int64) {
    if timers.insert(job, at: deadline) { arm() }
  }

  override var timerQueue: TimerQueue? { timers }

  private func signal() {
    guard !signalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    if open() { withUnsafePointer(to: wakeup) { rac_shim_wakeup_signal($0) } }
  }

  /// Sets the timerfd to the first deadline.
  private func arm() {
    guard open() else { return }
    lock.lock()
    // Under the lock, so that of two threads the one with the later news comes last.
    let deadline = timers.firstDeadline
    armed = deadline.map { max(1, $0) } ?? 0
    withUnsafePointer(to: wakeup) { rac_shim_wakeup_arm($0, armed) }
    lock.unlock()
  }

  /// The descriptor to poll, or -1 when the system has none left.
  var descriptor: Int32 { open() ? wakeup.poll_fd : -1 }

  private func open() -> Bool {
    lock.lock()
    defer { lock.unlock() }
    if wakeup.poll_fd >= 0 { return true }
    guard rac_shim_wakeup_open(&wakeup) else { return false }
    return true
  }

  // MARK: Running

  /// Runs what waits, at most `limit` jobs; 0 means all that is there at the start. The number of jobs
  /// run, or nil when another thread is running this scheduler.
  func drain(_ limit: Int) -> Int? {
    guard enter() else { return nil }
    let count = runReady(limit)
    leave()
    return count
  }

  /// nil deadline: until stopped. False when another thread is running this scheduler.
  func run(until deadline: Int64?) -> Bool {
    guard enter() else { return false }
    while true {
      _ = runReady(0)
      if stops.exchange(0, ordering: .acquiringAndReleasing) != 0 { break }
      let now = rac_shim_now()
      if let deadline, now >= deadline { break }
      guard open() else { break }
      withUnsafePointer(to: wakeup) {
        rac_shim_wakeup_wait($0, deadline.map { $0 &- now } ?? -1)
      }
    }
    leave()
    return true
  }

  /// Ends the run that is going on, or the next one as soon as it starts.
  func stop() {
    stops.store(1, ordering: .releasing)
    signalled.store(true, ordering: .relaxed)
    if open() { withUnsafePointer(to: wakeup) { rac_shim_wakeup_signal($0) } }
  }

  /// Nanoseconds until there is something to do: 0 now, nil never.
  var timeToNext: Int64? {
    if signalled.load(ordering: .acquiring) { return 0 }
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

  private func runReady(_ limit: Int) -> Int {
    if open() { withUnsafePointer(to: wakeup) { rac_shim_wakeup_clear($0) } }
    // Before looking: whoever pushes from now on signals again.
    signalled.store(false, ordering: .sequentiallyConsistent)
    let now = rac_shim_now()
    let armed = lock.locked { self.armed }
    var hadTimers = false
    while let job = timers.popDue(now) {
      hadTimers = true
      queue.push(job)
    }
    // A timer that was cancelled may have left the timerfd expired.
    if hadTimers || (armed != 0 && armed <= now) { arm() }
    var left = limit
    if limit == 0 { left = queue.waitingCount() }
    var count = 0
    asCurrent {
      while left > 0, let job = queue.pop() {
        job.perform()
        count &+= 1
        left &-= 1
      }
    }
    if !queue.isEmpty { signal() }
    return count
  }
}
