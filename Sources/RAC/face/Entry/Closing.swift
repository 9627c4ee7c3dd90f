import CRACShims
import Synchronization

/// The end of the library in a process that goes on: rac_close.
///
/// No other call pays for it. Closing *seals* every handle: it marks the slot's word as out of use.
/// Each call that takes a handle reads or changes that word anyway, and is refused as by a stale
/// handle. Calls that take none look at the state of the process, as they do because of forks. Work
/// that runs already — a callback, a job, an event on its way — goes on to its end; schedulers and
/// loops look at the state between two jobs. The closing thread waits until no thread is inside any
/// more, and then drops the waiting jobs and values.
///
/// ```
/// state = closed; all threads meet        from here on whoever makes a handle seals it
/// seal every handle                       an entry that came first shows: busy, or a pin
/// wait: no gate busy, no pin, no thread in a callback or job, no worker at work, nobody runs main
/// drop what waits: jobs, timers, sources  their destroys run here
/// wait: each thread has called the hook
/// ```
enum Closing {
  /// No callback runs any more. A worker that looks round once more is nothing that a second call
  /// need tell.
  private static let isDone = Atomic<Bool>(false)

  /// Called when a child begins anew, perhaps of a process that was closed.
  static func boot() { isDone.store(false, ordering: .relaxed) }

  /// RAC_OK, RAC_ETIMEDOUT, RAC_EDEADLK. A negative timeout waits for ever.
  static func close(timeout: Int64) -> rac_status {
    if currentThread().isInsideCallback { return Status.deadlock }
    let deadline = timeout < 0 ? .max : Settling.deadline(in: timeout)
    rac_shim_close()
    Handles.sealAll()
    guard Settling.wait(until: deadline, isQuiet) else { return late() }
    dropWhatWaits()
    ThreadHook.change(to: nil)
    guard Settling.wait(until: deadline, { !ThreadHook.shared.hasVisitors && isQuiet() }) else {
      return late()
    }
    isDone.store(true, ordering: .releasing)
    return Status.ok
  }

  private static func late() -> rac_status {
    isDone.load(ordering: .acquiring) ? Status.ok : Status.timedOut
  }

  /// Nobody is inside, and nobody on the way in.
  private static func isQuiet() -> Bool {
    rac_shim_wake_sleepers()
    Scheduler.main.signal()
    return rac_shim_others_are_outside(true) && WorkerPool.shared.movesIfIdle != nil
      && Scheduler.main.tryToDropAll() && !Handles.someShow(Word.busy | Word.pins)
  }

  private static func dropWhatWaits() {
    TimerThread.shared.dropAll()
    Scheduler.main.poller.dropAll()
    PollThread.shared.poller.dropAll()
    RestingJobs.shared.dropAll()
    Handles.forEachSealed([.hosted, .virtual]) {
      $0._withUnsafeGuaranteedRef { $0.lastHandleReleased() }
    }
  }
}
