/// rac_signal_flatten_map() with at most so many signals at a time; the others wait, as many as a
/// bound says.
///
///     source                     --1-2-3--|
///     x -> x--x|, one at a time  --1--12--23--3|
///     capacity 1, oldest         --1--13--3|
///     capacity 1, newest         --1--12--2|
///
/// Signals are counted, not what they send; with no limit to how many run none waits. The policies
/// act as in rac_signal_flatten_bounded(). With one at a time and without a bound it is
/// rac_signal_concat_map().
///
/// - Parameter source: borrowed.
/// - Parameter max_concurrent: 0 for no limit; 1 sends one after the other.
/// - Parameter bound: borrowed, retained. NULL: only sources that can wait are held, at a mark; see
///   rac_set_default_marks(). RAC_BOUND_NONE: any number waits.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: called when the value comes, also if its signal has to wait or is
///   dropped; writes a signal, transferred, to `*out`; NULL counts as an empty signal.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND; RAC_EBUSY when the bound
///   is in use elsewhere.
///
/// Rx: flatMap with maxConcurrency, and with onBackpressureBuffer, onBackpressureDrop,
/// onBackpressureLatest. Since: 0.1
@c public func rac_signal_flatten_map_limited(
  _ source: CSignal?, _ max_concurrent: CSize, _ bound: CBound?, _ context: CContext?,
  _ transform: rac_signal_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy) else { return nil }
  if Border.isBrokenChain(source) { return nil }
  guard let transform else { return Border.fail(Status.null, "a callback is NULL") }
  return Border.derive(source, below: bound) {
    $0.mapToSignals(context, transform)
      .flatten(Border.count(max_concurrent), $1, isMarked: bound == nil)
      .named("flattenMap:", $0)
  }
}
