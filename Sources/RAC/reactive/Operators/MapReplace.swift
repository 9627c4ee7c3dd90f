/// Sends one value in place of each value.
///
///     source --1--2--3--|
///     to 7   --7--7--7--|
///
/// - Parameter source: borrowed.
/// - Parameter value: borrowed; the signal retains it.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -mapReplace:. Rx: mapTo. Since: 0.1
@c public func rac_signal_map_replace(_ source: CSignal?, _ value: rac_value) -> CSignal? {
  Border.derive(source, value) { $0.mapReplace($1) }
}

extension Signal {
  func mapReplace(_ value: Value) -> Signal { lift("mapReplace:", MapReplaceStep(value)) }
}

private final class MapReplaceStep: RowStep {
  private let replacement: Value

  init(_ value: Value) {
    replacement = value.retained()
    super.init()
  }
  deinit { replacement.release() }

  override func next(_ value: Value, at place: RowPlace) -> Value? { replacement }

  override func visit(_ visitor: inout Visitor) { visitor.value(replacement) }
}
