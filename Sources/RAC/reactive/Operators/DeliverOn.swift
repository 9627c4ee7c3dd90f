/// Sends every event on a scheduler, in order.
///
///     source    --1--2--3--|
///     scheduler ---x--x--x--x
///     result    ---1--2--3--|
///
/// The stages below are let go there, too: a subscriber's destroy runs on the scheduler.
///
/// - Parameter source: borrowed.
/// - Parameter scheduler: borrowed, retained. A virtual one still ends with its last handle: then
///   nothing more is delivered, and the subscription ends without an event.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -deliverOn:. Rx: observeOn. Since: 0.1
@c public func rac_signal_deliver_on(_ source: CSignal?, _ scheduler: CScheduler?) -> CSignal? {
  Border.derive(source) { source in Border.scheduler(scheduler).map { source.deliverOn($0) } }
}

extension Signal {
  func deliverOn(_ scheduler: Scheduler, isMarked: Bool = true) -> Signal {
    lift("deliverOn:") { DeliverOnSink(DeliveryLine(scheduler, $0, isMarked: isMarked)) }
  }
}

/// The source's side: events join the line. They come one at a time, whichever threads send them.
private final class DeliverOnSink: DetachedSink {
  private let line: DeliveryLine

  init(_ line: DeliveryLine) {
    self.line = line
    super.init(below: line.subscription)
  }

  override func keep(_ contexts: Object) { line.keep(contexts) }

  // Values do not take the way over `put`.
  override func next(_ value: Value) {
    if scope.isActive { line.put(.next, value) }
  }

  override func holds(_ question: Question) -> Bool { line.holds(question) }

  override func put(_ operation: Operation, _ value: Value) { line.put(operation, value) }

  override var recordedBelow: RecordedBelow {
    line.downstream?.recordedBehindQueue ?? RecordedBelow()
  }

  deinit {
    leave()
    // Last in line: the scheduler lets go of what is below.
    line.put(.close, .null)
  }

  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    line.goesAtEnd(withValue: withValue, &visitor)
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(line) }
}
