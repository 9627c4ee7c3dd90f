import Synchronization

/// Work waiting on a scheduler. Disposing it before it runs takes it back and frees what it holds.
class Job: Link {
  private static let waiting: UInt32 = 0
  private static let running: UInt32 = 1
  private static let finished: UInt32 = 2
  private static let cancelled: UInt32 = 3

  private final let state = Atomic<UInt32>(Job.waiting)

  /// Its number in the timer queue. Guarded by the queue's lock.
  final var timerNumber: UInt32 = 0
  /// The next job in line; see JobQueue and TimerQueue.
  final var nextJob: UInt = 0
  /// Where a dated job waits, to be taken out of when it is disposed. Set before anybody else can
  /// dispose it. Also keeps the scheduler alive that the job is going to.
  final var timers: TimerHome?
  /// The scope that holds this job, left when the job is done.
  final var scope: Scope?

  /// The work. Runs on the scheduler.
  func run() {}

  /// Lets go of everything the work needed; exactly once, after the last run or instead of it.
  func drop() {}

  override var isDisposed: Bool { state.load(ordering: .acquiring) >= Job.finished }

  /// Called by the scheduler, which has a reference of its own.
  func perform() {
    // Nobody else has one, or will: nobody can dispose it any more, and nothing need be an atomic
    // step.
    if Unmanaged.passUnretained(self).isAlone { return performAlone() }
    guard claim() else { return }
    Unfinished.within { run() }
    finish()
  }

  private func performAlone() {
    if state.load(ordering: .relaxed) != Job.waiting { return }
    state.store(Job.running, ordering: .relaxed)
    Unfinished.within { run() }
    state.store(Job.finished, ordering: .relaxed)
    end()
  }

  /// The same by a scheduler that counts values, not jobs: a job that carries several delivers at
  /// most `limit` of them.
  func perform(atMost limit: Int) -> Portion {
    perform()
    return Portion(count: 1)
  }

  /// False when it was cancelled first.
  final func claim() -> Bool {
    state.replace(Job.waiting, with: Job.running).exchanged
  }

  final func finish() {
    let before = state.exchange(Job.finished, ordering: .acquiringAndReleasing)
    if before != Job.finished { end() }
  }

  private final func end() {
    timers = nil
    letGo()
  }

  /// Back to waiting, for a job that runs again. False when it was cancelled while it ran.
  final func rewind() -> Bool {
    state.replace(Job.running, with: Job.waiting).exchanged
  }

  override final func dispose() {
    while true {
      let (taken, now) = state.replace(Job.waiting, with: Job.finished)
      if taken {
        // Taken out, nobody else reads it; else the timer thread may be handing the job on.
        let isOut = timers.map(Unmanaged.passUnretained)?._withUnsafeGuaranteedRef {
          $0.cancelTimer(self)
        }
        if isOut == true { timers = nil }
        letGo()
        return
      }
      if now != Job.running { return }
      // Running: it will not run again, and finishes by itself.
      let (marked, _) = state.replace(Job.running, with: Job.cancelled)
      if marked { return wasCancelled() }
    }
  }

  /// Disposed while it runs, perhaps from inside.
  func wasCancelled() {}

  private final func letGo() {
    scope?.remove(self)
    drop()
  }
}

extension Unmanaged where Instance == Job {
  /// Disposes of it, and gives back the reference.
  func disposeLast() {
    _withUnsafeGuaranteedRef { $0.dispose() }
    drop()
  }
}

/// The part of its turn that a job has done.
struct Portion {
  /// At most so many values a turn, so that other jobs of the scheduler get theirs.
  static let share = 256

  /// How many values it has delivered; 1 for a job that carries none.
  var count: Int
  /// There was no room for the rest of its turn. It goes on where it was, before the others.
  var isCut = false
}

/// A job that runs a callback of the user's.
final class ActionJob: Job {
  private let action: rac_action_fn
  private let context: UnsafeMutableRawPointer?
  private var destroy: rac_destroy_fn?

  init(
    _ context: UnsafeMutableRawPointer?, _ destroy: rac_destroy_fn?,
    _ action: @escaping rac_action_fn
  ) {
    self.context = context
    self.destroy = destroy
    self.action = action
  }

  override func run() { action(context) }
  override func drop() {
    guard let destroy = destroy.take() else { return }
    currentThread().asAwaited { destroy(context) }
  }
}

/// A job that runs a closure of the engine's.
final class ClosureJob: Job {
  private var body: (() -> Void)?

  init(_ body: @escaping () -> Void) { self.body = body }

  override func run() { body?() }
  override func drop() { body = nil }
}
