/// Passes each value once a callback has returned RAC_OK for it; a failure ends the stream.
///
///     source  --1--2--3--|
///     try < 3 --1--2--X
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter attempt: returns RAC_OK, or a failure that becomes the stream's error.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -try:. Since: 0.1
@_cdecl("rac_signal_try")
public func rac_signal_try(
  _ source: CSignal?, _ context: CContext?, _ attempt: rac_try_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_try") else { return nil }
  return Border.derive(source, attempt, "rac_signal_try") { $0.attempt(context, $1) }
}

/// rac_signal_map() under the name that RAC has for one that may fail.
///
///     source    --1--2--3--|
///     try_map f --f1-f2-X
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: writes an owned value to `*out`; nil is a value. A failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -tryMap:. Since: 0.1
@_cdecl("rac_signal_try_map")
public func rac_signal_try_map(
  _ source: CSignal?, _ context: CContext?, _ transform: rac_map_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_try_map") else { return nil }
  return Border.derive(source, transform, "rac_signal_try_map") { $0.tryMap(context, $1) }
}

/// Sends whether a value came that `predicate` says yes to, and completes as soon as that is known.
///
///     source  --1--2--3--|
///     any > 1 -----true|
///     any > 9 -----------false|
///
/// An error counts as an end without such a value: false.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; NULL says yes to every value. A failure ends the
///   stream with an error.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -any, -any:. Since: 0.1
@_cdecl("rac_signal_any")
public func rac_signal_any(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_any") else { return nil }
  return Border.derive(source, "rac_signal_any") { $0.any(context, predicate) }
}

/// Sends whether `predicate` says yes to all values, and completes as soon as that is known.
///
///     source  --1--2--3--|
///     all < 9 -----------true|
///     all < 2 -----false|
///
/// An error counts as false.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; a failure ends the stream with an error.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -all:. Since: 0.1
@_cdecl("rac_signal_all")
public func rac_signal_all(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_all") else { return nil }
  return Border.derive(source, predicate, "rac_signal_all") { $0.all(context, $1) }
}

/// Sends the opposite of each truth value. Numbers count as true unless they are 0.
///
///     source --true--0--|
///     not    --false-true|
///
/// - Parameter source: borrowed; any other value ends the stream with an error.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -not. Since: 0.1
@_cdecl("rac_signal_not")
public func rac_signal_not(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_not") { $0.not() }
}

/// Sends for each tuple of truth values whether all are true. Numbers count as true unless they are 0.
///
///     source --(true,0)--(1,true)--|
///     and    --false-----true------|
///
/// - Parameter source: borrowed; an empty tuple, or anything else, ends the stream with an error.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -and. Since: 0.1
@_cdecl("rac_signal_and")
public func rac_signal_and(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_and") { $0.and() }
}

/// Sends for each tuple of truth values whether one is true. Numbers count as true unless they are 0.
///
///     source --(true,0)--(0,false)--|
///     or     --true------false------|
///
/// - Parameter source: borrowed; an empty tuple, or anything else, ends the stream with an error.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -or. Since: 0.1
@_cdecl("rac_signal_or")
public func rac_signal_or(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_or") { $0.or() }
}
