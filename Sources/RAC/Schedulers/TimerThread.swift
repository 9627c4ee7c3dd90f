import CRACShims

/// The one thread that waits for the deadlines of background schedulers.
final class TimerThread {
  let queue = TimerQueue()
  private let monitor = rac_shim_monitor_create().unsafelyUnwrapped
  private var isRunning = false

  func insert(_ job: Job, at deadline: Int64) {
    guard queue.insert(job, at: deadline) else { return }
    rac_shim_monitor_lock(monitor)
    let starts = !isRunning
    isRunning = true
    if !starts { rac_shim_monitor_signal(monitor) }
    rac_shim_monitor_unlock(monitor)
    if starts && !rac_shim_start_thread({ _ in engine.timers.work() }, nil, "rac timers") {
      rac_shim_fatal("the system gives no thread")
    }
  }

  private func work() {
    while true {
      while let job = queue.popDue(rac_shim_now()) {
        let target = job.target
        job.target = nil
        target?.schedule(job)
      }
      rac_shim_monitor_lock(monitor)
      // Inserting the first job signals under the monitor, so the look here cannot miss it.
      if let deadline = queue.firstDeadline {
        if deadline > rac_shim_now() { rac_shim_monitor_wait_until(monitor, deadline) }
      } else {
        rac_shim_monitor_wait(monitor)
      }
      rac_shim_monitor_unlock(monitor)
    }
  }
}
