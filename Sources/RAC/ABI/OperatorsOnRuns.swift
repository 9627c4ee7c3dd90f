/// rac_signal_scan() with a callback that is told how many values came before.
///
///     source           --1--2--3--|
///     scan 0,+ + index --1--4--9--|
///
/// - Parameter source: borrowed.
/// - Parameter start: borrowed; each subscription starts from it.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets the running value, the next one and its index from 0, writes an owned value
///   to `*out`.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -scanWithStart:reduceWithIndex:. Since: 0.1
@_cdecl("rac_signal_scan_with_index")
public func rac_signal_scan_with_index(
  _ source: CSignal?, _ start: rac_value, _ context: CContext?, _ reduce: rac_reduce_index_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_scan_with_index") else {
    return nil
  }
  return Border.derive(source, start, reduce, "rac_signal_scan_with_index") {
    $0.scanWithIndex($1, context, $2)
  }
}

/// Sends the last result of `reduce` when the source completes; the start itself if there were no values.
///
///     source        --1--2--3--|
///     aggregate 0,+ -----------6|
///
/// An error passes, and the result is dropped.
///
/// - Parameter source: borrowed.
/// - Parameter start: borrowed; each subscription starts from it.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets the running value and the next one, writes an owned value to `*out`.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -aggregateWithStart:reduce:. Since: 0.1
@_cdecl("rac_signal_aggregate")
public func rac_signal_aggregate(
  _ source: CSignal?, _ start: rac_value, _ context: CContext?, _ reduce: rac_reduce_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_aggregate") else { return nil }
  return Border.derive(source, start, reduce, "rac_signal_aggregate") {
    $0.aggregate($1, context, .plain($2))
  }
}

/// rac_signal_aggregate() with a callback that is told how many values came before.
///
///     source                --1--2--3--|
///     aggregate 0,+ + index -----------9|
///
/// - Parameter source: borrowed.
/// - Parameter start: borrowed; each subscription starts from it.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets the running value, the next one and its index from 0, writes an owned value
///   to `*out`.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -aggregateWithStart:reduceWithIndex:. Since: 0.1
@_cdecl("rac_signal_aggregate_with_index")
public func rac_signal_aggregate_with_index(
  _ source: CSignal?, _ start: rac_value, _ context: CContext?, _ reduce: rac_reduce_index_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_aggregate_with_index") else {
    return nil
  }
  return Border.derive(source, start, reduce, "rac_signal_aggregate_with_index") {
    $0.aggregate($1, context, .indexed($2))
  }
}

/// rac_signal_aggregate() with a start that a callback makes for each subscription.
///
///     source             --1--2--3--|
///     aggregate (-> 0),+ -----------6|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter factory: writes the start, owned, to `*out`; a failure ends the stream before the source
///   is subscribed to.
/// - Parameter reduce: gets the running value and the next one, writes an owned value to `*out`.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -aggregateWithStartFactory:reduce:. Since: 0.1
@_cdecl("rac_signal_aggregate_with_factory")
public func rac_signal_aggregate_with_factory(
  _ source: CSignal?, _ context: CContext?, _ factory: rac_factory_fn?, _ reduce: rac_reduce_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  let function: StaticString = "rac_signal_aggregate_with_factory"
  guard let context = Border.context(context, destroy, function) else { return nil }
  if Border.isBrokenChain(source) { return nil }
  guard let factory else { return Border.fail(Status.null, function, "factory is NULL") }
  return Border.derive(source, reduce, function) { $0.aggregate(from: factory, context, $1) }
}

/// Sends what `reduce` makes of each value and the one before it.
///
///     source                      --1--2--4--|
///     combine_previous 0, (a,b)   --01-12-24-|
///
/// - Parameter source: borrowed.
/// - Parameter start: borrowed; stands before the first value.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets the previous value and the next one, writes an owned value to `*out`, which
///   is sent and not fed back.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -combinePreviousWithStart:reduce:. Since: 0.1
@_cdecl("rac_signal_combine_previous")
public func rac_signal_combine_previous(
  _ source: CSignal?, _ start: rac_value, _ context: CContext?, _ reduce: rac_reduce_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_combine_previous") else {
    return nil
  }
  return Border.derive(source, start, reduce, "rac_signal_combine_previous") {
    $0.combinePrevious($1, context, $2)
  }
}

/// Passes values until `predicate` says true; then completes, without that value.
///
///     source     --1--2--3--1--|
///     until == 3 --1--2--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; a failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -takeUntilBlock:. Since: 0.1
@_cdecl("rac_signal_take_until_block")
public func rac_signal_take_until_block(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_take_until_block") else {
    return nil
  }
  return Border.derive(source, predicate, "rac_signal_take_until_block") {
    $0.take(untilAnswer: true, context, $1)
  }
}

/// Passes values while `predicate` says true; completes at the first false, without that value.
///
///     source    --1--2--3--1--|
///     while < 3 --1--2--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; a failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -takeWhileBlock:. Since: 0.1
@_cdecl("rac_signal_take_while_block")
public func rac_signal_take_while_block(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_take_while_block") else {
    return nil
  }
  return Border.derive(source, predicate, "rac_signal_take_while_block") {
    $0.take(untilAnswer: false, context, $1)
  }
}

/// Drops values until `predicate` says true; passes that value and all after it.
///
///     source     --1--2--3--1--|
///     until == 3 --------3--1--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; not called again after the first true. A failure
///   ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -skipUntilBlock:. Since: 0.1
@_cdecl("rac_signal_skip_until_block")
public func rac_signal_skip_until_block(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_skip_until_block") else {
    return nil
  }
  return Border.derive(source, predicate, "rac_signal_skip_until_block") {
    $0.skip(untilAnswer: true, context, $1)
  }
}

/// Drops values while `predicate` says true; passes the first other one and all after it.
///
///     source    --1--2--3--1--|
///     while < 3 --------3--1--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; not called again after the first false. A failure
///   ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -skipWhileBlock:. Since: 0.1
@_cdecl("rac_signal_skip_while_block")
public func rac_signal_skip_while_block(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_skip_while_block") else {
    return nil
  }
  return Border.derive(source, predicate, "rac_signal_skip_while_block") {
    $0.skip(untilAnswer: false, context, $1)
  }
}

/// Sends the last `count` values when the source completes. An error drops them.
///
///     source      --1--2--3--|
///     take_last 2 -----------23|
///
/// - Parameter source: borrowed.
/// - Parameter count: how many; 0 sends none, more than there are sends all.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -takeLast:. Since: 0.1
@_cdecl("rac_signal_take_last")
public func rac_signal_take_last(_ source: CSignal?, _ count: CSize) -> CSignal? {
  Border.derive(source, "rac_signal_take_last") { $0.takeLast(Border.count(count)) }
}

/// Drops the values that equal one; see rac_value_equal().
///
///     source   --1--2--1--3--|
///     ignore 1 -----2-----3--|
///
/// - Parameter source: borrowed.
/// - Parameter value: borrowed; the signal retains it. nil drops nil.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -ignore:. Since: 0.1
@_cdecl("rac_signal_ignore")
public func rac_signal_ignore(_ source: CSignal?, _ value: rac_value) -> CSignal? {
  Border.derive(source, value, "rac_signal_ignore") { $0.ignore($1) }
}
