/// Sends the last result of `reduce` when the source completes; the start itself if there were no
/// values.
///
///     source        --1--2--3--|
///     aggregate 0,+ -----------(6|)
///
/// An error passes, and the result is dropped.
///
/// - Parameter source: borrowed.
/// - Parameter start: borrowed; each subscription starts from it.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets the running value and the next one, writes an owned value to `*out`.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -aggregateWithStart:reduce:. Rx: reduce. Since: 0.1
@c public func rac_signal_aggregate(
  _ source: CSignal?, _ start: rac_value, _ context: CContext?, _ reduce: rac_reduce_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, start, context, reduce, destroy) { $0.aggregate($1, $2, .plain($3)) }
}

/// rac_signal_aggregate() with a callback that is told how many values came before.
///
///     source                --1--2--3--|
///     aggregate 0,+ + index -----------(9|)
///
/// - Parameter source: borrowed.
/// - Parameter start: borrowed; each subscription starts from it.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets the running value, the next one and its index from 0, writes an owned
///   value to `*out`.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -aggregateWithStart:reduceWithIndex:. Rx: reduce. Since: 0.1
@c public func rac_signal_aggregate_with_index(
  _ source: CSignal?, _ start: rac_value, _ context: CContext?, _ reduce: rac_reduce_index_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, start, context, reduce, destroy) { $0.aggregate($1, $2, .indexed($3)) }
}

/// rac_signal_aggregate() with a start that a callback makes for each subscription.
///
///     source             --1--2--3--|
///     aggregate (-> 0),+ -----------(6|)
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter factory: writes the start, owned, to `*out`; a failure ends the stream before the
///   source is subscribed to.
/// - Parameter reduce: gets the running value and the next one, writes an owned value to `*out`.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -aggregateWithStartFactory:reduce:. Rx: reduceWith. Since: 0.1
@c public func rac_signal_aggregate_with_factory(
  _ source: CSignal?, _ context: CContext?, _ factory: rac_factory_fn?, _ reduce: rac_reduce_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy) else { return nil }
  return Border.derive(source) {
    guard let factory, let reduce else { return Border.fail(Status.null, "a callback is NULL") }
    return AccumulatingSignal($0, .null, from: factory, Closure(context, .plain(reduce)))
      .named("aggregateWithStartFactory:reduce:", $0)
  }
}

extension Signal {
  func aggregate(_ start: Value, _ context: Context, _ reduce: Reducer) -> Signal {
    AccumulatingSignal(self, start, Closure(context, reduce))
      .named("aggregateWithStart:reduce:", self)
  }
}
