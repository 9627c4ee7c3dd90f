import CRACShims

/// Sends on the main scheduler: at once on the main thread, or inside a job of the main scheduler,
/// if nothing is waiting to be sent there; else in its turn.
///
///     source on a thread  --1--2--3--|
///     main thread drains  ----x------x
///     result              ----1------(23|)
///
/// The order stays. The stages below are let go there, too.
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -deliverOnMainThread. Rx: observeOn. Since: 0.1
@c public func rac_signal_deliver_on_main(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { source in
    source.lift("deliverOnMainThread") { DeliverOnMainSink(DeliveryLine(Scheduler.main, $0), $0) }
  }
}

private final class DeliverOnMainSink: DetachedSink {
  private let line: DeliveryLine
  /// The line keeps it, and lets it go on the main scheduler when this is gone.
  private let downstream: Unmanaged<Sink>

  init(_ line: DeliveryLine, _ downstream: Sink) {
    self.line = line
    self.downstream = .passUnretained(downstream)
    super.init(below: line.subscription, height: downstream.height &+ 1)
  }

  /// Events come one at a time: one that is not waiting in the line has been delivered.
  private var isHere: Bool {
    line.isEmpty && (currentThread().pointee.is_main || Scheduler.current === Scheduler.main)
  }

  override func keep(_ contexts: Object) { line.keep(contexts) }

  override var recordedBelow: RecordedBelow {
    downstream._withUnsafeGuaranteedRef { $0.recordedBehindQueue }
  }

  /// A value may go straight on to the places below.
  override func holds(_ question: Question) -> Bool {
    line.holds(question) || downstream._withUnsafeGuaranteedRef { $0.holds(question) }
  }

  override func put(_ operation: Operation, _ value: Value) {
    guard isHere else { return line.put(operation, value) }
    downstream._withUnsafeGuaranteedRef {
      switch operation {
      case .next: $0.next(value)
      case .error: $0.error(value)
      default: $0.completed()
      }
    }
  }

  deinit {
    leave()
    if isHere { line.letGo() } else { line.put(.close, .null) }
  }

  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    line.goesAtEnd(withValue: withValue, &visitor)
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(line) }
}
