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
    lift("delay:") { DelaySink(DelayCore($0), nanoseconds) }
  }
}

/// Where the late events and an early error meet.
private final class DelayCore: CombiningCore {
  override func next(_ input: Input?, _ value: Value) { downstream.next(value) }
  override func completed(_ input: Input?) { endCompleted() }
}

private final class DelaySink: Sink {
  private let core: DelayCore
  private let delay: Int64
  private var scheduler = ArrivalScheduler()

  init(_ core: DelayCore, _ delay: Int64) {
    self.core = core
    self.delay = delay
    // Of its own: the source is disposed when it ends, not when that has come through.
    super.init(scope: Scope(), height: core.heightOfInputs)
    core.downstream.scope.add(scope)
  }

  override func next(_ value: Value) {
    if scope.isActive { later(.next, value) }
  }

  override func error(_ error: Value) {
    if scope.close() { core.submit(.error, nil, error) }
  }

  override func completed() {
    if scope.close() { later(.completed, .null) }
  }

  private func later(_ operation: Operation, _ value: Value) {
    let job = SubmitJob(core, operation, value)
    scheduler.here().schedule(job, after: delay, in: core.downstream.scope)
  }

  deinit {
    core.downstream.scope.remove(scope)
    if Stack.isTooShort(toTakeApart: height) { Stack.outlive(core) }
  }
}
