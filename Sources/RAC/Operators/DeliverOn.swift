extension Signal {
  /// Sends every event on the scheduler, in order. C: rac_signal_deliver_on. RAC: -deliverOn:
  ///
  /// Whatever is below is also let go on the scheduler, so a subscriber's destroy runs there.
  func deliverOn(_ scheduler: Scheduler) -> Signal {
    lift("deliverOn:", on: scheduler) { DeliverOnSink(DeliveryLine(scheduler, $0)) }
  }

  /// Subscribes to the source on the scheduler. C: rac_signal_subscribe_on. RAC: -subscribeOn:
  func subscribeOn(_ scheduler: Scheduler) -> Signal {
    SubscribeOnSignal(self, scheduler).named("subscribeOn:", self)
  }
}

/// The source's side: events join the line. They come one at a time, whichever threads send them.
private final class DeliverOnSink: Sink {
  private let line: DeliveryLine

  init(_ line: DeliveryLine) {
    self.line = line
    // Of its own: the source is disposed when it ends, not when that has been delivered.
    super.init(scope: Scope())
    line.subscription.add(scope)
  }

  override func next(_ value: Value) {
    if scope.isActive { line.put(.next, value) }
  }
  override func error(_ error: Value) {
    if scope.close() { line.put(.error, error) }
  }
  override func completed() {
    if scope.close() { line.put(.completed, .null) }
  }

  deinit {
    line.subscription.remove(scope)
    // Last in line: the scheduler lets go of what is below.
    line.put(.close, .null)
  }
}

private final class SubscribeOnSignal: Signal {
  private let source: Signal
  private let scheduler: Scheduler

  init(_ source: Signal, _ scheduler: Scheduler) {
    self.source = source
    self.scheduler = scheduler
    super.init(depth: source.depth &+ 1)
  }

  deinit {
    if Stack.isTooShort(toTakeApart: depth) { Stack.outlive(source) }
  }

  override func attach(_ sink: Sink) {
    guard scheduler.isServed(dated: false) else { return sink.failWithoutThread() }
    let source = source
    scheduler.schedule(
      ClosureJob { if sink.scope.isActive { source.subscribe(sink) } }, in: sink.scope)
  }
}
