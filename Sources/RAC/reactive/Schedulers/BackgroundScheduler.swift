/// A serial queue drained by the worker pool. RACScheduler's +scheduler.
///
/// Lives as long as it has work, also when nobody else holds it.
final class BackgroundScheduler: QueueScheduler {
  /// After so many jobs others get a turn.
  private static let batch = 256

  /// The line of the pool it waits in, and the next one behind it there.
  let rank: Int
  final var nextReady: Unmanaged<BackgroundScheduler>? = nil

  override var isForChores: Bool { chores }
  private let chores: Bool

  init(priority: Int32, name: SignalName?, isForChores: Bool = false) {
    chores = isForChores
    rank = BackgroundScheduler.rank(priority)
    super.init(name)
  }

  /// Runs what those below the schedulers leave to a worker, each as a job of a scheduler of its
  /// own.
  static func serveWorkers() {
    Worker.boot { body, delay in
      if Process.isForkedChild { return }
      let scheduler = BackgroundScheduler(priority: 0, name: nil, isForChores: true)
      let job = ClosureJob(body)
      if delay > 0 { scheduler.schedule(job, after: delay) } else { scheduler.schedule(job) }
    }
  }

  private static func rank(_ priority: Int32) -> Int {
    priority > 0 ? 0 : priority == 0 ? 1 : priority > -100 ? 2 : 3
  }

  override func wake() {
    if Process.isClosed && !chores { dropJobs() } else { WorkerPool.add(self) }
  }

  /// On a thread which is the only one here until the queue is asleep again.
  func runBatch() {
    _ = runShare()
    endBatch()
  }

  /// The same, which stays. True: nothing is left.
  @inline(__always)
  func runShare() -> Bool {
    runJobs(BackgroundScheduler.batch)
    Process.standStillIfForked()
    return queue.isEmpty
  }

  /// It leaves.
  @inline(__always)
  func endBatch() {
    if Process.isClosed && !chores { return dropJobs() }
    if !queue.fallAsleep() { WorkerPool.add(self) }
  }
}
