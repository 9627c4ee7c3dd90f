/// Sends a value before the completion of a source that has sent none.
///
///     source             -----|
///     default_if_empty 7 -----(7|)
///
/// - Parameter source: borrowed.
/// - Parameter value: borrowed, retained.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND or RAC_EUTF8.
///
/// Rx: defaultIfEmpty. Since: 0.1
@c public func rac_signal_default_if_empty(_ source: CSignal?, _ value: rac_value) -> CSignal? {
  Border.derive(source, value) { source, value in
    let held = OwnedValue(value)
    return source.lift("defaultIfEmpty:", holding: held) { DefaultIfEmptySink(held, $0) }
  }
}

private final class DefaultIfEmptySink: Stage {
  private let held: OwnedValue
  private var isEmpty = true

  init(_ held: OwnedValue, _ downstream: Sink) {
    self.held = held
    super.init(downstream)
  }

  override func next(_ value: Value) {
    isEmpty = false
    downstream.next(value)
  }

  override func completed() {
    if isEmpty { downstream.next(held.value) }
    downstream.completed()
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(held) }
}
