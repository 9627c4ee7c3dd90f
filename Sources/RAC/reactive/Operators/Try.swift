/// Passes each value once a callback has returned RAC_OK for it; a failure ends the stream.
///
///     source  --1--2--3--|
///     try < 3 --1--2--#
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter attempt: returns RAC_OK, or a failure that becomes the stream's error.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -try:. Since: 0.1
@c public func rac_signal_try(
  _ source: CSignal?, _ context: CContext?, _ attempt: rac_try_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, attempt, destroy) { source, context, attempt in
    source.lift("try:", calling: context) { pointer, value, place in
      let status = attempt(pointer, value)
      guard Callback.hasFailed(status) else { return value }
      place.fail(status)
      return nil
    }
  }
}
