/// Sends every event as an event value, the end as well; then completes, also after an error.
///
///     source      --1--2--#
///     materialize --a--b--(c|)   a: <1>, b: <2>, c: <#>
///
/// - Parameter source: borrowed.
/// - Returns: one reference, a signal of values of kind RAC_EVENT; NULL with RAC_ENULL, RAC_ESTALE
///   or RAC_EKIND.
///
/// RAC: -materialize. Rx: materialize. Since: 0.1
@c public func rac_signal_materialize(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { source in
    source.lift("materialize") { MaterializeSink($0) }
  }
}

private final class MaterializeSink: Stage {
  override func next(_ value: Value) { sendEvent(.event(.next, value)) }

  override func error(_ error: Value) {
    sendEvent(.event(.error, error))
    downstream.completed()
  }

  override func completed() {
    sendEvent(.event(.completed, .null))
    downstream.completed()
  }

  private func sendEvent(_ event: Value?) {
    downstream.next(owned: .needed(event))
  }
}
