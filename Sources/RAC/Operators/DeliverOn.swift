extension Signal {
  /// Sends every event on the scheduler, in order. C: rac_signal_deliver_on. RAC: -deliverOn:
  ///
  /// Whatever is below is also let go on the scheduler, so a subscriber's destroy runs there.
  func deliverOn(_ scheduler: Scheduler) -> Signal {
    lift("deliverOn:") { DeliverOnSink(DeliveryLine(scheduler, $0)) }
  }

  /// Subscribes to the source on the scheduler. C: rac_signal_subscribe_on. RAC: -subscribeOn:
  func subscribeOn(_ scheduler: Scheduler) -> Signal {
    SubscribeOnSignal(self, scheduler).named("subscribeOn:", self)
  }
}

/// The source's side: events join the line.
private final class DeliverOnSink: Sink {
  private let line: DeliveryLine

  init(_ line: DeliveryLine) {
    self.line = line
    super.init(scope: line.scope)
  }

  override func next(_ value: Value) {
    if scope.isActive { line.push(.next, value) }
  }
  override func error(_ error: Value) { line.push(.error, error) }
  override func completed() { line.push(.completed, .null) }

  // Last in line: the scheduler lets go of what is below.
  deinit { line.push(.close, .null) }
}

/// Events on their way to a scheduler. One job at a time carries all that have gathered.
private final class DeliveryLine: Object {
  private struct Event {
    let operation: Operation
    let value: Value
  }

  let scope: Scope
  private let scheduler: Scheduler
  /// At most so many events a job.
  private static let share = 256

  private let lock = Lock()
  private var waiting: [Event] = []
  private var isScheduled = false
  /// The scheduler's own, after the first event was pushed.
  private var downstream: Sink?

  init(_ scheduler: Scheduler, _ downstream: Sink) {
    self.scheduler = scheduler
    self.downstream = downstream
    scope = downstream.scope
  }

  func push(_ operation: Operation, _ value: Value) {
    let event = Event(operation: operation, value: value.retained())
    lock.lock()
    waiting.append(event)
    let starts = !isScheduled
    isScheduled = true
    lock.unlock()
    // Not held by the scope: what waits has to be let go on the scheduler even after disposal.
    if starts { scheduler.schedule(ClosureJob { self.deliver() }) }
  }

  /// One job's share. The rest waits for another one, so that other jobs of the scheduler, and a host
  /// that drains it in slices, get their turn.
  private func deliver() {
    var batch: [Event] = []
    lock.locked { swap(&batch, &waiting) }
    var sent = 0
    while true {
      let end = min(batch.count, sent &+ DeliveryLine.share)
      while sent < end {
        send(batch[sent])
        batch[sent].value.release()
        sent &+= 1
      }
      lock.lock()
      if sent < batch.count { waiting.insert(contentsOf: batch[sent...], at: 0) }
      let isDone = waiting.isEmpty
      if isDone { isScheduled = false }
      let isAlone = scheduler === engine.immediate
      if !isDone && isAlone {
        batch.removeAll()
        swap(&batch, &waiting)
        sent = 0
      }
      lock.unlock()
      if isDone { return }
      if !isAlone { return scheduler.schedule(ClosureJob { self.deliver() }) }
    }
  }

  private func send(_ event: Event) {
    switch event.operation {
    case .close: downstream = nil
    case .next: if scope.isActive { downstream?.next(event.value) }
    case .error: if scope.isActive { downstream?.error(event.value) }
    default: if scope.isActive { downstream?.completed() }
    }
  }

  deinit { for event in waiting { event.value.release() } }
}

private final class SubscribeOnSignal: Signal {
  private let source: Signal
  private let scheduler: Scheduler

  init(_ source: Signal, _ scheduler: Scheduler) {
    self.source = source
    self.scheduler = scheduler
    super.init(depth: source.depth &+ 1)
  }

  override func attach(_ sink: Sink) {
    let source = source
    scheduler.schedule(
      ClosureJob { if sink.scope.isActive { source.subscribe(sink) } }, in: sink.scope)
  }
}
