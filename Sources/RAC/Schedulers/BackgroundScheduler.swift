/// A serial queue drained by the worker pool. RACScheduler's +scheduler.
///
/// Lives as long as it has work, also when nobody else holds it.
final class BackgroundScheduler: Scheduler {
  /// After so many jobs others get a turn.
  private static let batch = 256

  private let queue = JobQueue()
  /// The line of the pool it waits in, and who is behind it there.
  let rank: Int
  final var nextReady: Unmanaged<BackgroundScheduler>? = nil
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
    if queue.push(job) { engine.pool.add(self) }
  }

  /// Several at once; see JobQueue.
  func schedule(newest: UInt, oldest: UInt) {
    if queue.push(newest: newest, oldest: oldest) { engine.pool.add(self) }
  }

  override func schedule(_ job: Job, at deadline: Int64) {
    engine.timers.insert(job, at: deadline)
  }

  /// Keeps the scheduler alive, and tells the timer thread where the job goes.
  override var timerHome: TimerHome? { self }
  override func cancelTimer(_ job: Job) -> Bool { engine.timers.queue.cancelTimer(job) }

  /// On a worker, which is the only one here until the queue is asleep again.
  func runBatch() {
    asCurrent {
      var left = BackgroundScheduler.batch
      while left > 0, let job = queue.pop() {
        job.perform()
        left &-= 1
      }
    }
    if !queue.fallAsleep() { engine.pool.add(self) }
  }
}
