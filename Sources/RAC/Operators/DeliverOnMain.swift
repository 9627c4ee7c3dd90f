import CRACShims

/// Sends on the main scheduler: at once on the main thread, or inside a job of the main scheduler,
/// if nothing is waiting to be sent there; else in its turn.
///
///     source on a thread  --1--2--3--|
///     main thread drains  ----x------x
///     result              ----1------23|
///
/// The order stays. What is below is let go there, too.
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -deliverOnMainThread. Rx: observeOn. Since: 0.1
@_cdecl("rac_signal_deliver_on_main")
public func rac_signal_deliver_on_main(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_deliver_on_main") { $0.deliverOnMain() }
}

extension Signal {
  func deliverOnMain() -> Signal {
    lift("deliverOnMainThread") { DeliverOnMainSink(DeliveryLine(Scheduler.main, $0), $0) }
  }
}

private final class DeliverOnMainSink: Sink {
  private let line: DeliveryLine
  /// The line keeps it, and lets it go on the main scheduler when this is gone.
  private let downstream: Unmanaged<Sink>

  init(_ line: DeliveryLine, _ downstream: Sink) {
    self.line = line
    self.downstream = .passUnretained(downstream)
    // Of its own: the source is disposed when it ends, not when that has been delivered.
    super.init(scope: Scope(), height: downstream.height &+ 1)
    line.subscription.add(scope)
  }

  /// Events come one at a time: what is not waiting in the line has been delivered.
  private var isHere: Bool {
    line.isEmpty && (currentThread().pointee.is_main || Scheduler.current === Scheduler.main)
  }

  override func keeps(_ object: Object, toTheEnd: Bool) -> Bool {
    if toTheEnd { return super.keeps(object, toTheEnd: true) }
    line.keep(object)
    return true
  }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    if isHere {
      downstream._withUnsafeGuaranteedRef { $0.next(value) }
    } else {
      line.put(.next, value)
    }
  }

  override func error(_ error: Value) {
    guard scope.close() else { return }
    if isHere {
      downstream._withUnsafeGuaranteedRef { $0.error(error) }
    } else {
      line.put(.error, error)
    }
  }

  override func completed() {
    guard scope.close() else { return }
    if isHere {
      downstream._withUnsafeGuaranteedRef { $0.completed() }
    } else {
      line.put(.completed, .null)
    }
  }

  deinit {
    line.subscription.remove(scope)
    if isHere { line.letGo() } else { line.put(.close, .null) }
  }

  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    line.goesAtEnd(withValue: withValue, &visitor)
  }

  override func visit(_ visitor: inout Visitor) {
    super.visit(&visitor)
    visitor.reference(line)
  }
}
