/// Sends a tuple of all values when the source completes.
///
///     source  --1--2--|
///     collect --------(a|)   a: (1,2)
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -collect. Rx: toArray. Since: 0.1
@c public func rac_signal_collect(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { $0.collect() }
}

extension Signal {
  func collect() -> Signal { lift("collect") { CollectSink($0) } }
}

private final class CollectSink: Stage {
  private var values = ValueLine()

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    if values.makeRoom() { values.append(value.retained()) } else { giveUp() }
  }

  override func completed() {
    guard scope.isActive else { return }
    guard let tuple = values.takeTuple() else { return giveUp() }
    downstream.next(owned: tuple)
    downstream.completed()
  }

  private func giveUp() {
    values = ValueLine()
    refuse(Status.noMemory, "not enough memory to gather the values")
  }

  override func visit(_ visitor: inout Visitor) { values.visit(&visitor) }
}
