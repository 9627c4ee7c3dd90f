/// Maps each value to a signal and sends the values of the latest one; the one before is disposed.
///
///     source           --1-----2-----|
///     x -> x--x--x|    --1--1--2--2--2|
///
/// A search field does this with the requests that its texts lead to. As with
/// rac_signal_switch_to_latest(), the new signal is subscribed to before the old one is disposed.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: writes a signal, transferred, to `*out`; NULL counts as an empty signal.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: switchMap, flatMapLatest. Since: 0.1
@c public func rac_signal_switch_map(
  _ source: CSignal?, _ context: CContext?, _ transform: rac_signal_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, transform, destroy) {
    $0.mapToSignals($1, $2).switchToLatest().named("switchMap:", $0)
  }
}
