/// Passes only the end.
///
///     source        --1--2--|
///     ignore_values --------|
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -ignoreValues. Rx: ignoreElements. Since: 0.1
@c public func rac_signal_ignore_values(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { $0.ignoreValues() }
}

extension Signal {
  func ignoreValues() -> Signal { lift("ignoreValues", IgnoreValuesStep()) }
}

private final class IgnoreValuesStep: RowStep {
  override func next(_ value: Value, at place: RowPlace) -> Value? { nil }
  override func mostNumbers(at place: RowPlace) -> Int { .max }
}
