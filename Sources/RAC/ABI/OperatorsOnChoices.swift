/// rac_signal_combine_latest() with a callback that makes one value of the latest ones.
///
///     a         --1-----2-----|
///     b         ----3------4--|
///     combine + ----4---5--6--|
///
/// - Parameter signals: borrowed array of borrowed signals; may be NULL with count 0.
/// - Parameter count: how many; 0 makes a signal that completes at once.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets `count` values; writes an owned value to `*out`. A failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +combineLatest:reduce:. Since: 0.1
@_cdecl("rac_signal_combine_latest_reduce")
public func rac_signal_combine_latest_reduce(
  _ signals: UnsafePointer<CSignal?>?, _ count: CSize, _ context: CContext?,
  _ reduce: rac_reduce_each_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  let function: StaticString = "rac_signal_combine_latest_reduce"
  guard let context = Border.context(context, destroy, function) else { return nil }
  guard let reduce else { return Border.fail(Status.null, function, "reduce is NULL") }
  return Border.derive(signals, count, function) {
    Signal.combineLatest($0).reduceEach(context, reduce)
  }
}

/// rac_signal_zip() with a callback that makes one value of those that belong together.
///
///     a     --1--2------3--|
///     b     ----3-----4--------|
///     zip + ----4-----6----|
///
/// - Parameter signals: borrowed array of borrowed signals; may be NULL with count 0.
/// - Parameter count: how many; 0 makes a signal that completes at once.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets `count` values; writes an owned value to `*out`. A failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +zip:reduce:. Since: 0.1
@_cdecl("rac_signal_zip_reduce")
public func rac_signal_zip_reduce(
  _ signals: UnsafePointer<CSignal?>?, _ count: CSize, _ context: CContext?,
  _ reduce: rac_reduce_each_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  let function: StaticString = "rac_signal_zip_reduce"
  guard let context = Border.context(context, destroy, function) else { return nil }
  guard let reduce else { return Border.fail(Status.null, function, "reduce is NULL") }
  return Border.derive(signals, count, function) { Signal.zip($0).reduceEach(context, reduce) }
}

/// Drops all values, and goes on after the completion with a signal that a callback makes only then.
///
///     source --1--2--|
///     next            --3--|
///     then   ----------3--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter factory: writes a signal, transferred, to `*out`; NULL counts as an empty signal.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -then:. Since: 0.1
@_cdecl("rac_signal_then")
public func rac_signal_then(
  _ source: CSignal?, _ context: CContext?, _ factory: rac_defer_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_then") else { return nil }
  return Border.derive(source, factory, "rac_signal_then") { $0.then(context, $1) }
}

/// Passes the source until `replacement` sends anything; from then on only what the replacement sends.
///
///     source      --1--2--3--4--
///     replacement --------8--9--|
///     result      --1--2--8--9--|
///
/// The source is disposed then. Before, its completion is no end, but its error is.
///
/// - Parameter source: borrowed.
/// - Parameter replacement: borrowed; subscribed first; each of its events takes over, an end as well.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -takeUntilReplacement:. Since: 0.1
@_cdecl("rac_signal_take_until_replacement")
public func rac_signal_take_until_replacement(_ source: CSignal?, _ replacement: CSignal?)
  -> CSignal?
{
  Border.derive(source, replacement, "rac_signal_take_until_replacement") {
    $0.takeUntilReplacement($1)
  }
}

/// Sends what one signal sends while the latest value is true, and else what the other sends.
///
///     source --true-----false--|
///     yes    -----1--2----3--
///     no     --7--------8---9--|
///     if     -----1--2--8---9--|
///
/// Each value subscribes anew. Completes when the source and the signal chosen last have.
///
/// - Parameter source: borrowed; sends truth values, or numbers, which are true unless they are 0. Any
///   other value ends the stream with an error.
/// - Parameter yes: borrowed.
/// - Parameter no: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +if:then:else:. Since: 0.1
@_cdecl("rac_signal_if")
public func rac_signal_if(_ source: CSignal?, _ yes: CSignal?, _ no: CSignal?) -> CSignal? {
  let function: StaticString = "rac_signal_if"
  guard let source = Border.signal(source, function) else { return nil }
  return Border.derive(yes, no, function) { source.choose($0, $1) }
}

/// Sends what the signal sends that belongs to the latest key.
///
///     source     --a-----b--|
///     case a     -----1--2----
///     case b     ---8-----9--|
///     switch     -----1---9--|
///
/// Each key subscribes anew. Completes when the source and the signal chosen last have.
///
/// - Parameter source: borrowed; sends keys; nil is one.
/// - Parameter keys: borrowed array, the signal retains the values; may be NULL with count 0. Of two
///   equal keys the first counts; see rac_value_equal().
/// - Parameter cases: borrowed array of borrowed signals, one for each key; may be NULL with count 0.
/// - Parameter count: how many keys, and cases.
/// - Parameter fallback: borrowed; for keys without a case. NULL: such a key ends the stream with an
///   error, domain "rac.signal", code RAC_SIGNAL_NO_MATCHING_CASE.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND, RAC_EUTF8 or RAC_ENOMEM.
///   RAC: +switch:cases:default:. Since: 0.1
@_cdecl("rac_signal_switch")
public func rac_signal_switch(
  _ source: CSignal?, _ keys: UnsafePointer<rac_value>?, _ cases: UnsafePointer<CSignal?>?,
  _ count: CSize, _ fallback: CSignal?
) -> CSignal? {
  let function: StaticString = "rac_signal_switch"
  if Border.isBrokenChain(source) { return nil }
  let tuple = Border.tuple(keys, count, function)
  if tuple.isNull { return nil }
  defer { tuple.release() }
  guard let source = Border.signal(source, function) else { return nil }
  var other: Signal? = nil
  if let fallback {
    other = Border.signal(fallback, function)
    if other == nil { return nil }
  }
  guard let signals = Border.signals(cases, count, function) else { return nil }
  return Border.holding(SwitchCases.size(signals.count), function) {
    Border.give(function) { source.switched(SwitchCases(tuple, signals, other)) }
  }
}

/// Pairs each value of the source with the latest one of another signal, as a tuple of two; drops the
/// values that come before it.
///
///     source --1-----2--3--|
///     other  ----x--------y--z
///     result --------2x-3x-|
///
/// The end of the source is the end; the other one's completion changes nothing. An error of either is
/// one of the result.
///
/// - Parameter source: borrowed.
/// - Parameter other: borrowed; subscribed first.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: none. Rx: withLatestFrom. Since: 0.1
@_cdecl("rac_signal_with_latest_from")
public func rac_signal_with_latest_from(_ source: CSignal?, _ other: CSignal?) -> CSignal? {
  Border.derive(source, other, "rac_signal_with_latest_from") { $0.withLatestFrom($1) }
}

/// Sends the latest value of the source whenever the sampler sends one; again the same if none has come
/// meanwhile, nothing before the first.
///
///     source  --1--2-----3-----|
///     sampler -x-----x-x---x-|
///     sample  -------2-2---3-|
///
/// The end of either is the end.
///
/// - Parameter source: borrowed; subscribed first.
/// - Parameter sampler: borrowed; its values do not matter.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -sample:. Since: 0.1
@_cdecl("rac_signal_sample")
public func rac_signal_sample(_ source: CSignal?, _ sampler: CSignal?) -> CSignal? {
  Border.derive(source, sampler, "rac_signal_sample") { $0.sample($1) }
}
