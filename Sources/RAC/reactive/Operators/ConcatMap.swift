/// Maps each value to a signal and sends what they send, one signal after the other.
///
///     source     --1--2--|
///     x -> x--x| --1--12--2|
///
/// The same as rac_signal_flatten_map_limited() with 1 and without a bound: the transform is called
/// when the value comes, and its signal waits, without a limit, until those before it have
/// completed.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: writes a signal, transferred, to `*out`; NULL counts as an empty signal.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: concatMap. Since: 0.1
@c public func rac_signal_concat_map(
  _ source: CSignal?, _ context: CContext?, _ transform: rac_signal_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, transform, destroy) {
    $0.mapToSignals($1, $2).flatten(1).named("concatMap:", $0)
  }
}
