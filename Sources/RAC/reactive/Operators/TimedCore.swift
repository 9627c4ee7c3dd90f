/// The inside of an operator that lets time pass, one timer after another.
///
/// A subclass overrides `fire`. An error goes by what waits.
class TimedCore: CombiningCore {
  final let timing: Timing
  private final var arrival: ArrivalScheduler
  /// The next one; nil when none is waiting.
  final var timer: SubmitJob?

  /// The value that waits to be sent, if one does. Owned.
  final var held: Value?

  init(_ timing: Timing, _ downstream: Sink) {
    self.timing = timing
    arrival = ArrivalScheduler(timing.scheduler)
    super.init(downstream)
  }

  deinit { held?.release() }

  final func hold(_ value: Value) {
    let old = held
    held = value.retained()
    old?.release()
  }

  final func dropHeld() {
    stopWaiting()
    held.take()?.release()
  }

  final func sendHeld() {
    if let value = held.take() { downstream.next(owned: value) }
  }

  override func visitBase(_ visitor: inout Visitor) {
    super.visitBase(&visitor)
    visitor.value(held)
  }

  /// Where the time passes of what waits from now on.
  final var scheduler: Scheduler { arrival.here() }
  /// The same without a reference: see there.
  final var place: Unmanaged<Scheduler> { arrival.found() }

  /// Has `fire` called with the value after the time of the operator, or after another one.
  final func wait(_ nanoseconds: Int64? = nil, telling value: Value = .null) {
    let scheduler = scheduler
    let deadline = scheduler.now.saturatingAdd(nanoseconds ?? timing.nanoseconds)
    wait(until: deadline, on: scheduler, telling: value)
  }

  final func wait(until deadline: Int64, on scheduler: Scheduler, telling value: Value) {
    let job = SubmitJob(self, .fire, value)
    // First: another thread may have it fire at once.
    timer = job
    // Lent, as it goes with this: no reference is taken.
    Unmanaged.passUnretained(downstream.scope)._withUnsafeGuaranteedRef {
      scheduler.schedule(job, at: deadline, in: $0)
    }
  }

  final func stopWaiting() { timer.take()?.dispose() }

  override func error(_ input: Input?, _ error: Value) {
    dropHeld()
    end(error: error)
  }
}
