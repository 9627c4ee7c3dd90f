import CRACShims
import Synchronization

/// Waits until all that was sent before has been delivered: rac_settle.
///
/// Sending pays next to nothing for it: the waiting thread looks, again and again, until it finds
/// nothing anywhere. A sent event waits in a gate that a thread is in, in a parked gate, for which
/// a job waits, or in the queue of a scheduler; or a thread inside a callback or a job carries it.
/// The thread looks at each place on its own, and an event might move from a place it has yet to
/// look at to one it has passed. So a counter counts every event that is queued anywhere, and a
/// look that finds nothing is valid only if the counter has not moved.
enum Settling {
  /// RAC_OK, RAC_ETIMEDOUT, RAC_EDEADLK, RAC_ECLOSED. A negative timeout waits for ever. The main
  /// thread runs the main scheduler meanwhile.
  static func settle(timeout: Int64) -> rac_status {
    if currentThread().isInsideCallback { return Status.deadlock }
    return isSettled(within: timeout) ? Status.ok : Parker.inVain
  }

  private static func isSettled(within timeout: Int64) -> Bool {
    let isDone = currentThread().waits {
      wait(until: timeout < 0 ? .max : deadline(in: timeout)) {
        if Process.isClosed { return true }
        if currentThread().pointee.is_main && Scheduler.main.slicesIfIdle == nil {
          _ = Scheduler.main.drain()
        }
        return isSettled()
      }
    }
    return isDone && !Process.isOver
  }

  /// Nothing waits any more.
  static var isAtRest: Bool { Process.isClosed || !Process.isOver && isSettled() }

  /// A thread that exits in a callback is in gates itself, which stay busy; the records of the
  /// threads tell of gates that others are in.
  private static func isSettled() -> Bool {
    let posts = rac_shim_posts()
    guard let slices = Scheduler.main.slicesIfIdle, let moves = WorkerPool.shared.movesIfIdle,
      rac_shim_others_are_outside(false),
      currentThread().isInsideCallback || !Handles.someShow(Word.busy)
    else { return false }
    return rac_shim_posts() == posts && WorkerPool.shared.movesIfIdle == moves
      && Scheduler.main.slicesIfIdle == slices
  }

  static func deadline(in timeout: Int64) -> Int64 {
    let (deadline, overflow) = rac_shim_now().addingReportingOverflow(timeout)
    return overflow ? .max : deadline
  }

  /// Asks until it holds, less and less often. False: the time has passed, the interruption hook
  /// stops it, or the blocking hook has forked into a child where nothing works.
  @inline(never)
  static func wait(until deadline: Int64, _ holds: () -> Bool) -> Bool {
    var pause: Int64 = 20_000
    while !holds() {
      let now = rac_shim_now()
      if now >= deadline { return false }
      BlockingHook.around { rac_shim_pause_until(min(deadline, now &+ pause)) }
      if Process.isForkedChild || InterruptionHook.stops { return false }
      pause = min(pause &* 2, 1_000_000)
    }
    return true
  }

  // MARK: At the exit of the process

  /// Nanoseconds; 0: nothing happens.
  private static let timeAtExit = Atomic<Int64>(0)

  static func settleAtExit(_ timeout: Int64) {
    if timeAtExit.exchange(timeout, ordering: .relaxed) == 0 && timeout != 0 {
      rac_shim_watch_exit()
    }
  }

  /// Called then, perhaps inside a callback: its frames stay, and what waits behind them, and all
  /// else is delivered.
  static func processExits() {
    let timeout = timeAtExit.load(ordering: .relaxed)
    if timeout == 0 || Process.isOver { return }
    let thread = currentThread()
    let goesOn = thread.isInsideCallback
    if !isSettled(within: timeout) {
      rac_shim_write_error("rac: the process exits before all that was sent is delivered")
    } else if goesOn && Scheduler.current is BackgroundScheduler {
      rac_shim_write_error("rac: exit() in a job: what its scheduler has left is not run")
    }
  }
}
