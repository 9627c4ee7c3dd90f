/// Sends what `transform` makes of each value.
///
///     source   --1--2--3--|
///     map x 10 --10-20-30-|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: writes an owned value to `*out`; a failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -map:. Since: 0.1
@_cdecl("rac_signal_map")
public func rac_signal_map(
  _ source: CSignal?, _ context: CContext?, _ transform: rac_map_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_map") else { return nil }
  return Border.derive(source, transform, "rac_signal_map") { $0.map(context, $1) }
}

/// Sends one value in place of each value.
///
///     source --1--2--3--|
///     to 7   --7--7--7--|
///
/// - Parameter source: borrowed.
/// - Parameter value: borrowed; the signal retains it.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -mapReplace:. Since: 0.1
@_cdecl("rac_signal_map_replace")
public func rac_signal_map_replace(_ source: CSignal?, _ value: rac_value) -> CSignal? {
  Border.derive(source, value, "rac_signal_map_replace") { $0.mapReplace($1) }
}

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
///   RAC: -filter:. Since: 0.1
@_cdecl("rac_signal_filter")
public func rac_signal_filter(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_filter") else { return nil }
  return Border.derive(source, predicate, "rac_signal_filter") { $0.filter(context, $1) }
}

/// Passes only the end.
///
///     source        --1--2--|
///     ignore_values --------|
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -ignoreValues. Since: 0.1
@_cdecl("rac_signal_ignore_values")
public func rac_signal_ignore_values(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_ignore_values") { $0.ignoreValues() }
}

/// Sends the running result of `reduce`. The start itself is not sent.
///
///     source   --1--2--3--|
///     scan 0,+ --1--3--6--|
///
/// - Parameter source: borrowed.
/// - Parameter start: borrowed; each subscription starts from it.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets the running value and the next one, writes an owned value to `*out`.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -scanWithStart:reduce:. Since: 0.1
@_cdecl("rac_signal_scan")
public func rac_signal_scan(
  _ source: CSignal?, _ start: rac_value, _ context: CContext?, _ reduce: rac_reduce_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_scan") else { return nil }
  return Border.derive(source, start, reduce, "rac_signal_scan") {
    $0.scan($1, context, $2)
  }
}

/// Passes the first `count` values, then completes without waiting for the source.
///
///     source --1--2--3--|
///     take 2 --1--2|
///
/// - Parameter source: borrowed.
/// - Parameter count: how many; 0 completes at once without subscribing.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -take:. Since: 0.1
@_cdecl("rac_signal_take")
public func rac_signal_take(_ source: CSignal?, _ count: CSize) -> CSignal? {
  Border.derive(source, "rac_signal_take") { $0.take(Border.count(count)) }
}

/// Drops the first `count` values.
///
///     source --1--2--3--|
///     skip 2 --------3--|
///
/// - Parameter source: borrowed.
/// - Parameter count: how many; 0 drops none.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -skip:. Since: 0.1
@_cdecl("rac_signal_skip")
public func rac_signal_skip(_ source: CSignal?, _ count: CSize) -> CSignal? {
  Border.derive(source, "rac_signal_skip") { $0.skip(Border.count(count)) }
}

/// Drops a value that equals the one before it; see rac_value_equal().
///
///     source   --1--1--2--1--|
///     distinct --1-----2--1--|
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -distinctUntilChanged. Since: 0.1
@_cdecl("rac_signal_distinct_until_changed")
public func rac_signal_distinct_until_changed(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_distinct_until_changed") { $0.distinctUntilChanged() }
}

/// Sends a tuple of all values when the source completes.
///
///     source  --1--2--|
///     collect --------(1,2)|
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -collect. Since: 0.1
@_cdecl("rac_signal_collect")
public func rac_signal_collect(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_collect") { $0.collect() }
}

/// Sends a signal for each new key, which sends the values that have that key, transformed.
///
///     source  --1--2--3--4--|
///     groups  --A--B--------|   (by odd and even)
///          A  --1-----3-----|
///          B  -----2-----4--|
///
/// A group is sent before its first value, so only who subscribes to it at once sees that value. The end
/// goes to the result first, then to the groups in the order they came. See rac_value_to_signal() and
/// rac_signal_get_key().
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter key: writes a value's key, owned, to `*out`.
/// - Parameter transform: writes what the group sends, owned, to `*out`; NULL sends the value itself.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -groupBy:transform:. Since: 0.1
@_cdecl("rac_signal_group_by")
public func rac_signal_group_by(
  _ source: CSignal?, _ context: CContext?, _ key: rac_map_fn?, _ transform: rac_map_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_group_by") else { return nil }
  return Border.derive(source, key, "rac_signal_group_by") { $0.groupBy(context, $1, transform) }
}
