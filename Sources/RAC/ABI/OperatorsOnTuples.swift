/// Sends what `reduce` makes of the elements of each tuple.
///
///     source        --(1,2)--(3,4)--|
///     reduce_each + --3------7------|
///
/// A value that is no tuple ends the stream with an error.
///
/// - Parameter source: borrowed; a signal of tuples.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets the elements and how many there are; writes an owned value to `*out`. It
///   returns a failure if the count is not the one it wants.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -reduceEach:. Since: 0.1
@_cdecl("rac_signal_reduce_each")
public func rac_signal_reduce_each(
  _ source: CSignal?, _ context: CContext?, _ reduce: rac_reduce_each_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_reduce_each") else { return nil }
  return Border.derive(source, reduce, "rac_signal_reduce_each") { $0.reduceEach(context, $1) }
}

/// Sends every event as an event value, the end as well; then completes, also after an error.
///
///     source      --1--2--X
///     materialize --N1-N2-X|
///
/// - Parameter source: borrowed.
/// - Returns: one reference, a signal of values of kind RAC_EVENT; NULL with RAC_ENULL, RAC_ESTALE or
///   RAC_EKIND. RAC: -materialize. Since: 0.1
@_cdecl("rac_signal_materialize")
public func rac_signal_materialize(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_materialize") { $0.materialize() }
}

/// Turns event values back into events; the first that is an end ends the stream.
///
///     source        --N1-N2-X--N3-|
///     dematerialize --1--2--X
///
/// A value that is no event ends it with an error.
///
/// - Parameter source: borrowed; a signal of values of kind RAC_EVENT.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -dematerialize. Since: 0.1
@_cdecl("rac_signal_dematerialize")
public func rac_signal_dematerialize(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_dematerialize") { $0.dematerialize() }
}
