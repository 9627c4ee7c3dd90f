import Synchronization

/// A serial queue drained by the worker pool. RACScheduler's +scheduler.
///
/// Lives as long as it has work, also when nobody else holds it.
final class BackgroundScheduler: Scheduler {
  private static let idle: UInt32 = 0
  private static let scheduled: UInt32 = 1
  /// After so many jobs others get a turn.
  private static let batch = 256

  private let queue = JobQueue()
  private let state = Atomic<UInt32>(BackgroundScheduler.idle)
  /// The line of the pool it waits in.
  let rank: Int
  let name: SignalName?

  init(priority: Int32, name: SignalName?) {
    rank = BackgroundScheduler.rank(priority)
    self.name = name
    super.init()
  }

  private static func rank(_ priority: Int32) -> Int {
    priority > 0 ? 0 : priority == 0 ? 1 : priority > -100 ? 2 : 3
  }

  override func schedule(_ job: Job) {
    queue.push(job)
    wake()
  }

  override func schedule(_ job: Job, at deadline: Int64) {
    job.target = self
    engine.timers.insert(job, at: deadline)
  }

  override var timerQueue: TimerQueue? { engine.timers.queue }

  private func wake() {
    let (woken, _) = state.compareExchange(
      expected: BackgroundScheduler.idle, desired: BackgroundScheduler.scheduled,
      ordering: .sequentiallyConsistent)
    if woken { engine.pool.add(self) }
  }

  /// On a worker, which is the only one here until the state is idle again.
  func runBatch() {
    asCurrent {
      var left = BackgroundScheduler.batch
      while left > 0, let job = queue.pop() {
        job.perform()
        left &-= 1
      }
    }
    if queue.isEmpty {
      state.store(BackgroundScheduler.idle, ordering: .sequentiallyConsistent)
      if !queue.hasArrivals { return }
      wake()
    } else {
      engine.pool.add(self)
    }
  }
}
