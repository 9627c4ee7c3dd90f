/// Passes the values for which `predicate` says true.
///
///     source      --1--2--3--4--|
///     filter even -----2-----4--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; a failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -filter:. Rx: filter. Since: 0.1
@c public func rac_signal_filter(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, predicate, destroy) { $0.filter($1, $2) }
}

extension Signal {
  func filter(_ context: Context, _ predicate: @escaping rac_predicate_fn) -> Signal {
    lift("filter:", RowStep(.filter(predicate, context.pointer), context))
  }
}

extension Row {
  func filter(
    _ predicate: rac_predicate_fn, _ context: CContext?, _ value: Words, at place: RowPlace
  ) -> Words? {
    var passes = false
    let status = _withUnprotectedUnsafeMutablePointer(to: &passes) {
      predicate(context, value.value, $0)
    }
    if Callback.hasFailed(status) {
      place.fail(status)
      return nil
    }
    return passes ? value : nil
  }
}
