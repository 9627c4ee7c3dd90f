/// rac_signal_map() under the name that RAC has for one that may fail.
///
///     source             --1--2--3--|
///     x 2, and 3 fails   --2--4--#
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: writes an owned value to `*out`; nil is a value. A failure ends the
///   stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -tryMap:. Rx: map. Since: 0.1
@c public func rac_signal_try_map(
  _ source: CSignal?, _ context: CContext?, _ transform: rac_map_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, transform, destroy) { $0.map($1, $2).named("tryMap:", $0) }
}
