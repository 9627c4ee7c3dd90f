/// Sends a value, then subscribes to the source.
///
///     source       --1--2--|
///     start_with 0 0-1--2--|
///
/// - Parameter source: borrowed.
/// - Parameter value: borrowed; the signal retains it.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -startWith:. Rx: startWith. Since: 0.1
@c public func rac_signal_start_with(_ source: CSignal?, _ value: rac_value) -> CSignal? {
  Border.derive(source, value) { $0.startWith($1) }
}

extension Signal {
  func startWith(_ value: Value) -> Signal {
    Signal.concat([ReturnSignal(value), self]).named("startWith:", self)
  }
}
