import CRACShims

/// The threads behind background schedulers. Started when first needed, a few more when all are busy
/// — jobs may block on sockets — and never stopped.
final class WorkerPool {
  private let monitor = rac_shim_monitor_create().unsafelyUnwrapped
  /// Schedulers with work, by priority: high, default, low, background.
  private var ready = [Fifo<BackgroundScheduler>](repeating: Fifo(), count: 4)
  /// Workers that sleep and that nobody has woken yet.
  private var idle = 0
  /// Wake-ups that no worker has answered yet.
  private var woken = 0
  private var workers = 0
  private let limit = max(8, Int(rac_shim_processor_count()) &* 4)

  func add(_ scheduler: BackgroundScheduler) {
    rac_shim_monitor_lock(monitor)
    ready[scheduler.rank].append(scheduler)
    var starts = false
    if idle > 0 {
      idle &-= 1
      woken &+= 1
      rac_shim_monitor_signal(monitor)
    } else if workers < limit {
      workers &+= 1
      starts = true
    }
    rac_shim_monitor_unlock(monitor)
    if starts { start() }
  }

  private func start() {
    let started = rac_shim_start_thread({ _ in engine.pool.work() }, nil, "rac worker")
    if started { return }
    rac_shim_monitor_lock(monitor)
    workers &-= 1
    let none = workers == 0
    rac_shim_monitor_unlock(monitor)
    if none { rac_shim_fatal("the system gives no thread") }
  }

  private func work() {
    while true {
      take().runBatch()
    }
  }

  private func take() -> BackgroundScheduler {
    rac_shim_monitor_lock(monitor)
    defer { rac_shim_monitor_unlock(monitor) }
    while true {
      for rank in 0..<4 {
        if let scheduler = ready[rank].popFirst() { return scheduler }
      }
      idle &+= 1
      while woken == 0 { rac_shim_monitor_wait(monitor) }
      woken &-= 1
    }
  }
}
