/// Subscribes to the source again whenever it completes, for ever.
///
///     source --1--2|
///     repeat --1--2--1--2--1--2--1--
///
/// An error ends it. A source that completes at once is subscribed to in a loop, without recursion,
/// until somebody below disposes.
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -repeat. Rx: repeat. Since: 0.1
@c public func rac_signal_repeat(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { source in
    source.relay("repeat") { RepeatingRelay($0, $1) }
  }
}
