import CRACShims
import Synchronization

/// Runs jobs one at a time. RACScheduler.
class Scheduler: TimerHome {
  /// Runs the job after everything scheduled before it.
  func schedule(_ job: Job) {}

  /// Runs the job when the scheduler's clock has reached the deadline.
  func schedule(_ job: Job, at deadline: Int64) {}

  /// The first word that scheduling a job writes, to prefetch; nil if that is not worth it.
  var mailbox: UnsafeRawPointer? { nil }
  /// The job that is running reads this first when it comes again.
  func expect(_ place: UnsafeRawPointer?) {}

  /// The scheduler's clock, nanoseconds, as operators read it: a recording has each reading, and a
  /// replay gives the same again.
  var now: Int64 { rac_recording_read_clock() }
  /// The same clock for everybody else.
  var plainNow: Int64 { rac_shim_now() }

  var kind: HandleKind { .plainScheduler }

  /// The latest handle made for this scheduler, so that a program can recognise it as the current
  /// one.
  private final let handle = Atomic<UInt>(0)

  /// One reference, in the same handle as before if that is still alive.
  final func makeHandle() -> OpaquePointer {
    if let known = OpaquePointer(bitPattern: handle.load(ordering: .acquiring)),
      Handles.retain(known) != nil
    {
      return known
    }
    let fresh = Handles.make(self, kind)
    handle.store(UInt(bitPattern: fresh), ordering: .releasing)
    return fresh
  }

  /// Whether a handle names it. A fresh one is made only when the one before is gone, so it is the
  /// latest or none.
  final var hasHandle: Bool {
    let known = OpaquePointer(bitPattern: handle.load(ordering: .acquiring))
    return known.map { Handles.names(kind, $0) != nil } ?? false
  }

  /// Whether somebody waits for its deadlines. False: the system gives no thread for it.
  func keepsTime() -> Bool { true }

  /// Where dated jobs wait; nil where they do not.
  var timerHome: TimerHome? { nil }

  /// After a delay in nanoseconds, which may not be negative.
  @inline(__always)
  final func schedule(_ job: Job, after delay: Int64) {
    job.timers = timerHome
    schedule(job, at: now.saturatingAdd(delay))
  }

  /// The same, held by a scope until it has run.
  final func schedule(_ job: Job, after delay: Int64, in scope: Scope) {
    schedule(job, at: now.saturatingAdd(delay), in: scope)
  }

  final func schedule(_ job: Job, at deadline: Int64, in scope: Scope) {
    // Before it is in the scope: then it may be disposed at any time.
    job.timers = timerHome
    job.scope = scope
    scope.add(job)
    schedule(job, at: deadline)
  }

  /// Now, held by a scope until it has run.
  final func schedule(_ job: Job, in scope: Scope) {
    job.scope = scope
    scope.add(job)
    schedule(job)
  }

  /// In a recording.
  @exclusivity(unchecked) final var recorded = rac_node()
  /// As docs/Recording.md has it.
  var recordedKind: UInt16 { 1 }

  deinit {
    if recorded.number != 0 { rac_recording_forget(currentThread(), recorded) }
  }

  // MARK: Descriptors

  /// Where its jobs wait for descriptors.
  var poller: Poller { PollThread.shared.poller }

  /// A job waits there: calls the polling thread.
  func hasPolled() { PollThread.shared.call() }

  /// Whether somebody looks. False: the system gives no thread for it.
  func canPoll() -> Bool { PollThread.shared.start() }

  // MARK: Turns that are limited

  /// Performs a job that has its turn, with at most so many values; how many it was. A cut job
  /// comes first in the queue.
  @inline(__always)
  final func perform(_ job: Job, atMost limit: Int, cutInto queue: JobQueue) -> Int {
    takeTurn(job, cutInto: queue) { job.perform(atMost: limit) }
  }

  /// The same in a recording.
  @inline(never)
  final func performRecorded(_ job: Job, atMost limit: Int, cutInto queue: JobQueue) -> Int {
    takeTurn(job, cutInto: queue) { recordRun(job, atMost: limit) }
  }

  @inline(__always)
  private final func takeTurn(
    _ job: Job, cutInto queue: JobQueue, _ perform: () -> Portion
  ) -> Int {
    let thread = currentThread()
    let before = thread.pointee.together
    thread.pointee.together = 0
    let portion = perform()
    if portion.isCut { queue.putBack(job) }
    let together = thread.pointee.together
    thread.pointee.together = before
    return portion.count &+ together
  }

  /// The job that this thread is running delivers so many values with one call.
  static func deliversTogether(_ count: Int) {
    let thread = currentThread()
    if count > 1 { thread.pointee.together = thread.pointee.together &+ (count &- 1) }
  }

  /// Runs the body with this scheduler as the thread's current one.
  @inline(__always)
  final func asCurrent(_ body: () -> Void) {
    let thread = currentThread()
    let before = thread.pointee.scheduler
    thread.pointee.scheduler = Unmanaged.passUnretained(self).toOpaque()
    thread.deepen()
    body()
    thread.surface()
    thread.pointee.scheduler = before
  }

  /// The same outside of jobs, where nobody waits for the thread.
  @inline(__always)
  final func asCurrentHere<Result>(_ body: () -> Result) -> Result {
    let thread = currentThread()
    let before = thread.pointee.scheduler
    thread.pointee.scheduler = Unmanaged.passUnretained(self).toOpaque()
    let result = body()
    thread.pointee.scheduler = before
    return result
  }

  /// The one whose job the thread is running; the main scheduler on the main thread; else nil.
  static var current: Scheduler? {
    let thread = currentThread()
    if let scheduler = thread.pointee.scheduler {
      return Unmanaged<Scheduler>.fromOpaque(scheduler).takeUnretainedValue()
    }
    if thread.pointee.attached > 0 { return Scheduler.immediate }
    if thread.pointee.is_main { return Scheduler.main }
    return nil
  }

  /// Whether there is a current one.
  @inline(__always)
  static var isThereOne: Bool {
    let thread = currentThread()
    return thread.pointee.scheduler != nil || thread.pointee.is_main || thread.pointee.attached > 0
  }
}

/// Runs jobs on the spot. RACScheduler's immediateScheduler.
final class ImmediateScheduler: Scheduler {
  override func schedule(_ job: Job) {
    // In this order (a Dekker pair): the closing thread sees that this one is inside, or this one
    // that the library is closed.
    currentThread().away { if Process.isClosed { job.dispose() } else { job.perform() } }
  }

  /// Sleeps, as in RAC.
  override func schedule(_ job: Job, at deadline: Int64) {
    currentThread().waits {
      if deadline > rac_shim_now() {
        _ = Parker.sleep {
          rac_shim_sleep_until(deadline)
          return .timedOut
        }
      }
      schedule(job)
    }
  }
}

extension Int64 {
  /// The sum, or the greatest number: a time that never comes.
  func saturatingAdd(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

/// Seconds as nanoseconds.
enum Duration {
  /// nil for NaN and negative durations; very long ones become the longest.
  static func nanoseconds(_ seconds: Double) -> Int64? {
    guard seconds >= 0 else { return nil }
    guard seconds < 9e9 else { return Int64.max / 2 }
    // The nearest: like rounded() of a number that is not negative, without a call of libm.
    let exact = seconds * 1e9
    let whole = rac_shim_whole(exact)
    return exact - Double(whole) >= 0.5 ? whole &+ 1 : whole
  }

  /// How long somebody waits: negative for ever.
  @inline(never)
  static func timeout(_ seconds: Double) -> Int64 { nanoseconds(seconds) ?? -1 }

  static func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e9 }
}
