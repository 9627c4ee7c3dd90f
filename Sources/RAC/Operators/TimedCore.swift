/// The inside of an operator that lets time pass, one timer after another.
///
/// A subclass overrides `fire`. An error goes by what waits.
class TimedCore: CombiningCore {
  /// What comes next; nil when nothing does.
  final var timer: SubmitJob?

  /// Has `fire` called with the value after so long.
  @inline(never)
  final func wait(_ nanoseconds: Int64, on scheduler: Scheduler, telling value: Value = .null) {
    let job = SubmitJob(self, .fire, value)
    // First: another thread may have it fire at once.
    timer = job
    // Lent, as it goes with this: no reference is taken.
    Unmanaged.passUnretained(downstream.scope)._withUnsafeGuaranteedRef {
      scheduler.schedule(job, after: nanoseconds, in: $0)
    }
  }

  final func stopWaiting() { timer.take()?.dispose() }

  override func error(_ input: Input?, _ error: Value) {
    stopWaiting()
    end(error: error)
  }
}
