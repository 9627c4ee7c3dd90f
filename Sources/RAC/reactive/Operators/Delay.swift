/// Sends each value, and the completion, some time later; an error at once, in place of what waits.
///
///     source  --1--2--|
///     delay 2 ----1--2--|
///
/// So it makes no pause for rac_signal_retry(): see there for one.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter scheduler: borrowed, retained; where the time passes. NULL: the one that is current
///   when a value arrives; without one, a background scheduler. Not the immediate one.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -delay:. Rx: delay. Since: 0.1
@c public func rac_signal_delay(_ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?)
  -> CSignal?
{
  Border.derive(source, seconds, scheduler) { $0.delay($1) }
}

extension Signal {
  func delay(_ timing: Timing) -> Signal {
    lift("delay:") { DelaySink(DelayCore($0), timing) }
  }
}

/// Where the late events and an early error meet.
private final class DelayCore: CombiningCore {
  override func next(_ input: Input?, _ value: Value) { downstream.next(value) }
  override func completed(_ input: Input?) { endCompleted() }
}

private final class DelaySink: DetachedSink {
  private let core: DelayCore
  private let delay: Int64
  private var scheduler: ArrivalScheduler

  init(_ core: DelayCore, _ timing: Timing) {
    self.core = core
    delay = timing.nanoseconds
    scheduler = ArrivalScheduler(timing.scheduler)
    super.init(below: core.downstream.scope, height: core.heightOfInputs)
  }

  override func keep(_ contexts: Object) { core.keep(contexts) }

  override var recordedBelow: RecordedBelow { core.downstream.recordedBehindQueue }

  override func holds(_ question: Question) -> Bool { core.holds(question, at: nil) }

  override func put(_ operation: Operation, _ value: Value) {
    if operation == .error { return _ = core.submit(.error, nil, value) }
    let job = SubmitJob(core, operation, value)
    scheduler.here().schedule(job, after: delay, in: core.downstream.scope)
  }

  deinit {
    leave()
    if Stack.isTooShort(toTakeApart: height) { Stack.outlive(core) }
  }

  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    visitor.goesAtEnd(core, withValue: withValue)
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(core) }
}
