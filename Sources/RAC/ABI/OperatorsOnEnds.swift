/// Runs a callback before each value goes on.
///
///     source --1--2--|
///     action   !  !
///     result --1--2--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter action: the callback.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -doNext:. Since: 0.1
@_cdecl("rac_signal_do_next")
public func rac_signal_do_next(
  _ source: CSignal?, _ context: CContext?, _ action: rac_next_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_do_next") else { return nil }
  return Border.derive(source, action, "rac_signal_do_next") { $0.doNext(context, $1) }
}

/// Runs a callback before an error goes on.
///
///     source --1--2--X
///     action         !
///     result --1--2--X
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter action: the callback.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -doError:. Since: 0.1
@_cdecl("rac_signal_do_error")
public func rac_signal_do_error(
  _ source: CSignal?, _ context: CContext?, _ action: rac_error_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_do_error") else { return nil }
  return Border.derive(source, action, "rac_signal_do_error") { $0.doError(context, $1) }
}

/// Runs a callback before the completion goes on.
///
///     source --1--2--|
///     action         !
///     result --1--2--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter action: the callback.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -doCompleted:. Since: 0.1
@_cdecl("rac_signal_do_completed")
public func rac_signal_do_completed(
  _ source: CSignal?, _ context: CContext?, _ action: rac_completed_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_do_completed") else {
    return nil
  }
  return Border.derive(source, action, "rac_signal_do_completed") { $0.doCompleted(context, $1) }
}

/// Runs a callback before the source is subscribed to.
///
///     source  --1--2--|
///     action !
///     result  --1--2--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter action: runs once for each subscription.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -initially:. Since: 0.1
@_cdecl("rac_signal_initially")
public func rac_signal_initially(
  _ source: CSignal?, _ context: CContext?, _ action: rac_action_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_initially") else { return nil }
  return Border.derive(source, action, "rac_signal_initially") { $0.initially(context, $1) }
}

/// Runs a callback before an error or a completion goes on; not on disposal.
///
///     source --1--2--|
///     action         !
///     result --1--2--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter action: runs at most once for each subscription.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -finally:. Since: 0.1
@_cdecl("rac_signal_finally")
public func rac_signal_finally(
  _ source: CSignal?, _ context: CContext?, _ action: rac_action_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_finally") else { return nil }
  return Border.derive(source, action, "rac_signal_finally") { $0.finally(context, $1) }
}

/// On an error, goes on with the signal that a callback returns for it.
///
///     source --1--X
///     other       --2--|
///     catch  --1----2--|
///
/// Errors of that signal are not caught.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter handler: gets the error as its value; writes a signal, transferred, to `*out`.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -catch:. Since: 0.1
@_cdecl("rac_signal_catch")
public func rac_signal_catch(
  _ source: CSignal?, _ context: CContext?, _ handler: rac_signal_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_catch") else { return nil }
  return Border.derive(source, handler, "rac_signal_catch") { $0.catchError(context, $1) }
}

/// On an error, goes on with another signal.
///
///     source   --1--X
///     other         --2--|
///     catch_to --1----2--|
///
/// - Parameter source: borrowed.
/// - Parameter other: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -catchTo:. Since: 0.1
@_cdecl("rac_signal_catch_to")
public func rac_signal_catch_to(_ source: CSignal?, _ other: CSignal?) -> CSignal? {
  Border.derive(source, other, "rac_signal_catch_to") { $0.catchTo($1) }
}

/// Subscribes to the source again whenever it completes, for ever.
///
///     source --1--2|
///     repeat --1--2--1--2--1--2--1--
///
/// An error ends it. A source that completes at once is subscribed to in a loop, without recursion,
/// until somebody below disposes.
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -repeat. Since: 0.1
@_cdecl("rac_signal_repeat")
public func rac_signal_repeat(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_repeat") { $0.repeated() }
}

/// Subscribes to the source again, at once, when it fails.
///
///     source  --1--X
///     retry 2 --1----1----1--X
///
/// A rac_signal_delay() before it makes no pause, as errors overtake it: a source that fails at once is
/// subscribed to as fast as the processor can. For a pause turn the error, with rac_signal_catch(), into
/// rac_signal_concat() of a delayed rac_signal_empty() and rac_signal_error().
///
/// - Parameter source: borrowed.
/// - Parameter count: at most so many times; 0 means for ever.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -retry:. Since: 0.1
@_cdecl("rac_signal_retry")
public func rac_signal_retry(_ source: CSignal?, _ count: CSize) -> CSignal? {
  Border.derive(source, "rac_signal_retry") { $0.retry(Border.count(count)) }
}

/// Writes every event to the log: the source's name and the event; see rac_set_log().
///
///     source --1--2--|
///     log    --1--2--|
///     result --1--2--|
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -logAll. Since: 0.1
@_cdecl("rac_signal_log_all")
public func rac_signal_log_all(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_log_all") { $0.log(.all, "logAll") }
}

/// Writes every value to the log: the source's name and the value; see rac_set_log().
///
///     source --1--2--|
///     log    --1--2
///     result --1--2--|
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -logNext. Since: 0.1
@_cdecl("rac_signal_log_next")
public func rac_signal_log_next(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_log_next") { $0.log(.next, "logNext") }
}

/// Writes an error to the log: the source's name and the error; see rac_set_log().
///
///     source --1--2--X
///     log    --------X
///     result --1--2--X
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -logError. Since: 0.1
@_cdecl("rac_signal_log_error")
public func rac_signal_log_error(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_log_error") { $0.log(.error, "logError") }
}

/// Writes the completion to the log, with the source's name; see rac_set_log().
///
///     source --1--2--|
///     log    --------|
///     result --1--2--|
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -logCompleted. Since: 0.1
@_cdecl("rac_signal_log_completed")
public func rac_signal_log_completed(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_log_completed") { $0.log(.completed, "logCompleted") }
}
