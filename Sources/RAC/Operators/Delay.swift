extension Signal {
  /// Sends each value and the completion `seconds` later, on the scheduler that is current when it
  /// arrives, or on a background one of its own. An error goes on at once and overtakes what waits.
  ///
  /// ```
  /// source  --1--2--|
  /// delay   ----1--2--|
  /// ```
  /// C: rac_signal_delay. RAC: -delay:
  func delay(_ nanoseconds: Int64) -> Signal {
    DelaySignal(self, nanoseconds).named("delay:", self)
  }
}

private final class DelaySignal: DerivedSignal {
  private let delay: Int64

  init(_ source: Signal, _ delay: Int64) {
    self.delay = delay
    super.init(source)
  }

  override func attach(_ sink: Sink) {
    source.subscribe(DelaySink(CombiningCoreOfDelay(sink), delay))
  }
}

/// Where the late events and an early error meet.
private final class CombiningCoreOfDelay: CombiningCore {
  override func next(_ input: Input?, _ value: Value) { downstream.next(value) }
  override func completed(_ input: Input?) { endCompleted() }
}

private final class DelaySink: Sink {
  private let core: CombiningCoreOfDelay
  private let delay: Int64
  /// Used where there is no current scheduler.
  private var spare: Scheduler?

  init(_ core: CombiningCoreOfDelay, _ delay: Int64) {
    self.core = core
    self.delay = delay
    super.init(scope: core.downstream.scope)
  }

  override func next(_ value: Value) {
    let job = SubmitJob(core, .next, value)
    scheduler.schedule(job, after: delay, in: scope)
  }

  override func error(_ error: Value) { core.submit(.error, nil, error) }

  override func completed() {
    scheduler.schedule(SubmitJob(core, .completed, .null), after: delay, in: scope)
  }

  private var scheduler: Scheduler {
    if let current = Scheduler.current { return current }
    if let spare { return spare }
    let fresh = BackgroundScheduler(priority: 0, name: nil)
    spare = fresh
    return fresh
  }
}
