import Synchronization

/// Work waiting on a scheduler. Disposing it before it runs takes it back and frees what it holds.
class Job: Link {
  private static let waiting: UInt32 = 0
  private static let running: UInt32 = 1
  private static let finished: UInt32 = 2
  private static let cancelled: UInt32 = 3

  private let state = Atomic<UInt32>(Job.waiting)

  /// The next older job of the same queue; see JobQueue.
  final var nextJob: UInt = 0

  /// When to run, in the clock of the scheduler, and the order among equals. Guarded by the timer
  /// queue's lock, as is the place in its heap.
  final var deadline: Int64 = 0
  final var sequence: UInt64 = 0
  final var heapIndex = -1
  /// The heap this job waits in, to be taken out of when cancelled. Set once, before anybody else
  /// can dispose the job.
  final var timers: TimerQueue?
  /// Where a timer's job goes when its time has come. Kept alive meanwhile.
  final var target: Scheduler?
  /// The scope that holds this job, left when the job is done.
  final var scope: Scope?

  /// The work. Runs on the scheduler.
  func run() {}

  /// Lets go of everything the work needed; exactly once, after the last run or instead of it.
  func drop() {}

  override var isDisposed: Bool { state.load(ordering: .acquiring) >= Job.finished }

  /// Called by the scheduler.
  func perform() {
    guard claim() else { return }
    run()
    finish()
  }

  /// False when it was cancelled first.
  final func claim() -> Bool {
    state.compareExchange(
      expected: Job.waiting, desired: Job.running, ordering: .acquiringAndReleasing
    ).exchanged
  }

  final func finish() {
    let before = state.exchange(Job.finished, ordering: .acquiringAndReleasing)
    if before != Job.finished { letGo() }
  }

  /// Back to waiting, for a job that runs again. False when it was cancelled while it ran.
  final func rewind() -> Bool {
    state.compareExchange(
      expected: Job.running, desired: Job.waiting, ordering: .acquiringAndReleasing
    ).exchanged
  }

  override final func dispose() {
    while true {
      let (taken, now) = state.compareExchange(
        expected: Job.waiting, desired: Job.finished, ordering: .acquiringAndReleasing)
      if taken {
        timers?.cancel(self)
        letGo()
        return
      }
      if now != Job.running { return }
      // Running: it will not run again, and finishes by itself.
      let (marked, _) = state.compareExchange(
        expected: Job.running, desired: Job.cancelled, ordering: .acquiringAndReleasing)
      if marked { return }
    }
  }

  private func letGo() {
    scope?.remove(self)
    drop()
  }
}

/// A job that runs a callback of the user's.
final class ActionJob: Job {
  private let action: rac_action_fn
  private var context: Context?

  init(_ context: Context, _ action: @escaping rac_action_fn) {
    self.context = context
    self.action = action
  }

  override func run() { action(context?.pointer) }
  override func drop() { context = nil }
}

/// A job that runs a closure of the engine's.
final class ClosureJob: Job {
  private var body: (() -> Void)?

  init(_ body: @escaping () -> Void) { self.body = body }

  override func run() { body?() }
  override func drop() { body = nil }
}
