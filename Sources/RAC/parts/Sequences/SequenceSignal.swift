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
    SequenceSender(sequence, scheduler, sink).post()
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(sequence) }
}

private final class SequenceSender: Object {
  private var walk: Walk
  private let scheduler: Scheduler
  private let sink: Sink

  init(_ sequence: ValueSequence, _ scheduler: Scheduler, _ sink: Sink) {
    walk = Walk(sequence)
    self.scheduler = scheduler
    self.sink = sink
  }

  func post() { scheduler.schedule(ClosureJob { self.run() }, in: sink.scope) }

  private func run() {
    while sink.scope.isActive && !Process.isClosed {
      switch walk.next() {
      case .value(let value):
        if sink.scope.isActive { sink.next(value) }
        value.release()
        // The immediate scheduler has no one else to run.
        if scheduler !== Scheduler.immediate { return post() }
        if let error = InterruptionHook.error {
          sink.error(error)
          return error.release()
        }
      case .end:
        return sink.completed()
      case .failed(let error):
        sink.error(error)
        return error.release()
      case .refused(let status):
        return sink.refuse(status, "the sequence cannot be read in a job")
      }
    }
  }
}
