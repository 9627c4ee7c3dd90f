/// Drops the values that equal one; see rac_value_equal().
///
///     source   --1--2--1--3--|
///     ignore 1 -----2-----3--|
///
/// - Parameter source: borrowed.
/// - Parameter value: borrowed; the signal retains it. nil drops nil.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -ignore:. Since: 0.1
@c public func rac_signal_ignore(_ source: CSignal?, _ value: rac_value) -> CSignal? {
  Border.derive(source, value) { $0.ignore($1) }
}

extension Signal {
  func ignore(_ ignored: Value) -> Signal { lift("ignore:", IgnoreStep(ignored)) }
}

private final class IgnoreStep: RowStep {
  private let ignored: Value

  init(_ value: Value) {
    ignored = value.retained()
    super.init()
  }
  deinit { ignored.release() }

  override func next(_ value: Value, at place: RowPlace) -> Value? {
    value.isEqual(ignored) ? nil : value
  }

  override func mostNumbers(at place: RowPlace) -> Int { .max }

  override func visit(_ visitor: inout Visitor) { visitor.value(ignored) }
}
