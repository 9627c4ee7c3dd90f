/// Sends the values of a sequence, each in a job of its own, so that others get their turn between
/// them. RAC: -signalWithScheduler:
final class SequenceSignal: Signal {
  private let sequence: ValueSequence
  private let scheduler: Scheduler

  init(_ sequence: ValueSequence, _ scheduler: Scheduler) {
    self.sequence = sequence
    self.scheduler = scheduler
    super.init(depth: sequence.depth &+ 1)
  }

  override func attach(_ sink: Sink) {
    let sender = SequenceSender(sequence, scheduler, sink)
    scheduler.schedule(sender, in: sink.scope)
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(sequence) }
}

private final class SequenceSender: PausableJob {
  private var walk: Walk?
  private let scheduler: Scheduler
  private var sink: Sink?
  /// Whether there may ever be no room below. The immediate scheduler has nobody who goes on.
  private let asks: Bool

  init(_ sequence: ValueSequence, _ scheduler: Scheduler, _ sink: Sink) {
    walk = Walk(sequence)
    self.scheduler = scheduler
    self.sink = sink
    asks = scheduler !== Scheduler.immediate && sink.holds(.ever)
  }

  override func perform() {
    guard claim() else { return }
    var turn = PolledJob.Turn.isOver
    Unfinished.within { turn = sink.map { send(to: $0) } ?? .isOver }
    if turn == .isOver || !rewind() { return finish() }
    if turn == .hasMore || !rest() { goOn() }
  }

  private func send(to sink: Sink) -> PolledJob.Turn {
    while sink.scope.isActive && !Process.isClosed {
      if asks && isHeld(below: sink) { return .rests }
      switch walk?.next() ?? .end {
      case .value(let value):
        if sink.scope.isActive { sink.next(value) }
        value.release()
        // The immediate scheduler has no one else to run.
        if scheduler !== Scheduler.immediate { return .hasMore }
        if let error = InterruptionHook.error {
          sink.error(owned: error)
          return .isOver
        }
      case .end:
        sink.completed()
        return .isOver
      case .failed(let error):
        sink.error(owned: error)
        return .isOver
      case .refused(let status):
        sink.refuse(status, "the sequence cannot be read in a job")
        return .isOver
      }
    }
    return .isOver
  }

  override var name: StaticString { "rac_sequence_signal" }
  override func asks(_ question: Question) -> Bool { sink?.holds(question) ?? false }
  override func goOn() { scheduler.schedule(self) }

  override func drop() {
    super.drop()
    walk = nil
    sink = nil
  }
}
