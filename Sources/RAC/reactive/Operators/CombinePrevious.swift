/// Sends what `reduce` makes of each value and the one before it.
///
///     source                    --1--2--4--|
///     combine_previous 0, (a,b) --a--b--c--|   a: (0,1), b: (1,2), c: (2,4)
///
/// - Parameter source: borrowed.
/// - Parameter start: borrowed; stands before the first value.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets the previous value and the next one, writes an owned value to `*out`,
///   which is sent and not fed back.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -combinePreviousWithStart:reduce:. Rx: pairwise. Since: 0.1
@c public func rac_signal_combine_previous(
  _ source: CSignal?, _ start: rac_value, _ context: CContext?, _ reduce: rac_reduce_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, start, context, reduce, destroy) { $0.combinePrevious($1, $2, $3) }
}

extension Signal {
  func combinePrevious(_ start: Value, _ context: Context, _ reduce: @escaping rac_reduce_fn)
    -> Signal
  {
    lift("combinePreviousWithStart:reduce:", calling: context, state: start) {
      pointer, value, place in
      let old = place.state
      place.state = value.retained()
      place.send { reduce(pointer, old, value, $0) }
      old.release()
      return nil
    }
  }
}
