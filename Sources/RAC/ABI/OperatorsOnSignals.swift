/// The general operator: maps each value to a signal and sends what all of them send, until the callback says stop.
///
///     source       --1-----2-----3--
///     x -> -x-x|   ---1-1---2-2---3-3
///     stop after 2 ---1-1---2-2|
///
/// Leaving `*out` NULL stops too, as in RAC. Signals that are running go on to their end.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: writes a signal, transferred, to `*out`; a failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -bind:. Since: 0.1
@_cdecl("rac_signal_bind")
public func rac_signal_bind(
  _ source: CSignal?, _ context: CContext?, _ transform: rac_bind_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_bind") else { return nil }
  return Border.derive(source, transform, "rac_signal_bind") { $0.bind(context, $1) }
}

/// Maps each value to a signal and sends what all of them send, as it comes.
///
///     source      --1------2--|
///     x -> -x-x|  ---1-1----2-2|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: writes a signal, transferred, to `*out`; NULL counts as an empty signal.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -flattenMap:. Since: 0.1
@_cdecl("rac_signal_flatten_map")
public func rac_signal_flatten_map(
  _ source: CSignal?, _ context: CContext?, _ transform: rac_signal_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_flatten_map") else { return nil }
  return Border.derive(source, transform, "rac_signal_flatten_map") { $0.flattenMap(context, $1) }
}

/// Sends what the signals send that are sent; at most `max_concurrent` at a time, the others wait.
///
///     source    --a--b--|
///     signal a    -1--3--|
///     signal b       --4--5--|
///     flatten 0 ---1--34--5--|
///     flatten 1 ---1--3----4--5--|
///
/// nil counts as an empty signal. A value that is neither ends the stream with an error.
///
/// - Parameter source: borrowed; a signal of signals.
/// - Parameter max_concurrent: 0 for no limit; 1 sends one after the other.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -flatten:. Since: 0.1
@_cdecl("rac_signal_flatten")
public func rac_signal_flatten(_ source: CSignal?, _ max_concurrent: CSize) -> CSignal? {
  Border.derive(source, "rac_signal_flatten") { $0.flatten(Border.count(max_concurrent)) }
}

/// Sends what the latest signal sends that was sent.
///
/// Completes when the source and the latest signal have. nil counts as an empty signal. The new
/// signal is subscribed to before the old one is disposed.
///
///     signal a -1--2--3
///     signal b       -7--8|
///     switch   -1--2--7--8|
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -switchToLatest. Since: 0.1
@_cdecl("rac_signal_switch_to_latest")
public func rac_signal_switch_to_latest(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_switch_to_latest") { $0.switchToLatest() }
}

/// Subscribes to `next` when the source has completed.
///
///     source --1--|
///     next        --2--3--|
///     concat --1----2--3--|
///
/// However long a chain of these is built, it costs no stack.
///
/// - Parameter source: borrowed.
/// - Parameter next: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -concat:. Since: 0.1
@_cdecl("rac_signal_concat")
public func rac_signal_concat(_ source: CSignal?, _ next: CSignal?) -> CSignal? {
  Border.derive(source, next, "rac_signal_concat") { $0.concat($1) }
}

/// Sends what the signals send, one signal after the other.
///
///     source     --a--b--|
///     signal a     -1--3--|
///     signal b            --4--5--|
///     concat_all ---1--3----4--5--|
///
/// - Parameter signals: borrowed array of borrowed signals; may be NULL with count 0.
/// - Parameter count: how many; 0 makes a signal that completes at once.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +concat:. Since: 0.1
@_cdecl("rac_signal_concat_all")
public func rac_signal_concat_all(_ signals: UnsafePointer<CSignal?>?, _ count: CSize) -> CSignal? {
  Border.derive(signals, count, "rac_signal_concat_all") { Signal.concat($0) }
}

/// Sends what any of the signals sends, as it comes; completes when all have, fails with the first.
///
///     a     --1-----3--|
///     b     ----2--|
///     merge --1-2---3--|
///
/// - Parameter signals: borrowed array of borrowed signals; may be NULL with count 0.
/// - Parameter count: how many; 0 makes a signal that completes at once.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +merge:. Since: 0.1
@_cdecl("rac_signal_merge")
public func rac_signal_merge(_ signals: UnsafePointer<CSignal?>?, _ count: CSize) -> CSignal? {
  Border.derive(signals, count, "rac_signal_merge") { Signal.merge($0) }
}

/// rac_signal_merge() of two.
///
///     source     --1-----3--|
///     other      ----2--|
///     merge_with --1-2---3--|
///
/// - Parameter source: borrowed.
/// - Parameter other: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -merge:. Since: 0.1
@_cdecl("rac_signal_merge_with")
public func rac_signal_merge_with(_ source: CSignal?, _ other: CSignal?) -> CSignal? {
  Border.derive(source, other, "rac_signal_merge_with") { Signal.merge([$0, $1]) }
}

/// Sends a tuple of the latest values whenever one of them changes, as soon as all have sent one.
///
/// Completes when all have, fails with the first. Signals made of one source change one after the other,
/// and there is a tuple for each: docs/Operators.md has ways around that.
///
///     a       --1-----2-----|
///     b       ----x------y--|
///     combine ----1x--2x-2y-|
///
/// - Parameter signals: borrowed array of borrowed signals; may be NULL with count 0.
/// - Parameter count: how many; 0 makes a signal that completes at once.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +combineLatest:. Since: 0.1
@_cdecl("rac_signal_combine_latest")
public func rac_signal_combine_latest(_ signals: UnsafePointer<CSignal?>?, _ count: CSize)
  -> CSignal?
{
  Border.derive(signals, count, "rac_signal_combine_latest") { Signal.combineLatest($0) }
}

/// rac_signal_combine_latest() of two.
///
///     source  --1-----2-----|
///     other   ----x------y--|
///     combine ----1x--2x-2y-|
///
/// - Parameter source: borrowed.
/// - Parameter other: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -combineLatestWith:. Since: 0.1
@_cdecl("rac_signal_combine_latest_with")
public func rac_signal_combine_latest_with(_ source: CSignal?, _ other: CSignal?) -> CSignal? {
  Border.derive(source, other, "rac_signal_combine_latest_with") { Signal.combineLatest([$0, $1]) }
}

/// Sends a tuple of the first values, then of the second ones, and so on.
///
/// Completes when one completes that has nothing waiting, fails with the first. Values wait without
/// limit for the signals that are behind.
///
///     a   --1--2------3--|
///     b   ----x-----y--------|
///     zip ----1x----2y---|
///
/// - Parameter signals: borrowed array of borrowed signals; may be NULL with count 0.
/// - Parameter count: how many; 0 makes a signal that completes at once.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +zip:. Since: 0.1
@_cdecl("rac_signal_zip")
public func rac_signal_zip(_ signals: UnsafePointer<CSignal?>?, _ count: CSize) -> CSignal? {
  Border.derive(signals, count, "rac_signal_zip") { Signal.zip($0) }
}

/// rac_signal_zip() of two.
///
///     source   --1--2------3--|
///     other    ----x-----y--------|
///     zip_with ----1x----2y---|
///
/// - Parameter source: borrowed.
/// - Parameter other: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -zipWith:. Since: 0.1
@_cdecl("rac_signal_zip_with")
public func rac_signal_zip_with(_ source: CSignal?, _ other: CSignal?) -> CSignal? {
  Border.derive(source, other, "rac_signal_zip_with") { Signal.zip([$0, $1]) }
}

/// Passes everything until `trigger` sends a value or completes; then completes.
///
///     source     --1--2--3--|
///     trigger    -------x
///     take_until --1--2-|
///
/// - Parameter source: borrowed.
/// - Parameter trigger: borrowed; subscribed first; its error is ignored.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -takeUntil:. Since: 0.1
@_cdecl("rac_signal_take_until")
public func rac_signal_take_until(_ source: CSignal?, _ trigger: CSignal?) -> CSignal? {
  Border.derive(source, trigger, "rac_signal_take_until") { $0.takeUntil($1) }
}

/// Sends a value, then subscribes to the source.
///
///     source       --1--2--|
///     start_with 0 0-1--2--|
///
/// - Parameter source: borrowed.
/// - Parameter value: borrowed; the signal retains it.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -startWith:. Since: 0.1
@_cdecl("rac_signal_start_with")
public func rac_signal_start_with(_ source: CSignal?, _ value: rac_value) -> CSignal? {
  Border.derive(source, value, "rac_signal_start_with") { $0.startWith($1) }
}
