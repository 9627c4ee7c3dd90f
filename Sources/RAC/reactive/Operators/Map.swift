/// Sends what `transform` makes of each value.
///
///     source  --1--2--3--|
///     map x 2 --2--4--6--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: writes an owned value to `*out`; a failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -map:. Rx: map. Since: 0.1
@c public func rac_signal_map(
  _ source: CSignal?, _ context: CContext?, _ transform: rac_map_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, transform, destroy) { $0.map($1, $2) }
}

extension Signal {
  func map(_ context: Context, _ transform: @escaping rac_map_fn) -> Signal {
    lift("map:", RowStep(.map(transform, context.pointer), context))
  }
}

extension Row {
  func map(_ transform: rac_map_fn, _ context: CContext?, _ value: Words, at place: RowPlace)
    -> Words?
  {
    made(at: place) { transform(context, value.value, $0) }
  }
}
