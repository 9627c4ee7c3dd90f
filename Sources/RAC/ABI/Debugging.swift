import CRACShims

/// Names a signal, for logs and traces. Works whether or not names are being recorded.
///
/// What was made of the signal before, subscriptions among it, goes by the name it had then.
///
/// - Parameter signal: borrowed.
/// - Parameter name: borrowed, copied; valid UTF-8.
/// - Returns: RAC_OK, RAC_ENULL, RAC_ESTALE, RAC_EKIND, RAC_EUTF8. Any thread, at any time, also while others
///   name or use the signal. RAC: -setNameWithFormat:. Since: 0.1
@discardableResult
@_cdecl("rac_signal_set_name")
public func rac_signal_set_name(_ signal: CSignal?, _ name: CString?) -> rac_status {
  let function: StaticString = "rac_signal_set_name"
  guard let name else { return Failure.record(Status.null, function, "the name is NULL") }
  return Border.take(
    rac_value_string_view(name, rac_shim_length(name)), function, otherwise: { $0 }
  ) { _ in
    Border.check(signal, .signals, as: Signal.self, function) {
      $0.name = SignalName(name)
      return Status.ok
    }
  }
}

/// A signal's name. Operators name their signals "[source] -operator:" while names are recorded.
///
/// - Parameter signal: borrowed.
/// - Parameter buffer: gets at most `capacity` bytes, the NUL included. May be NULL with capacity 0.
/// - Parameter capacity: in bytes.
/// - Returns: the length of the whole name without its NUL, as snprintf does; 0 for none, or with
///   RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -name. Since: 0.1
@_cdecl("rac_signal_describe")
public func rac_signal_describe(_ signal: CSignal?, _ buffer: CBuffer?, _ capacity: CSize) -> CSize
{
  var text = TextBuffer()
  Border.use(signal, .signals, as: Signal.self, "rac_signal_describe", otherwise: { _ in }) {
    $0.name?.append(to: &text)
  }
  return text.write(to: buffer, Border.count(capacity))
}

/// Starts or stops recording names for signals made from now on. The environment variable
/// RAC_DEBUG_SIGNAL_NAMES, if it is set when the library is loaded, starts it. Any thread. Since: 0.1
@_cdecl("rac_set_names_enabled")
public func rac_set_names_enabled(_ enabled: Bool) { Diagnostics.shared.setRecordsNames(enabled) }

/// Has every event of every subscription made from now on reported, stage by stage.
///
/// Each report says which subscription it is of, by a number, and which thread it passes on: that one
/// subscriber hears a value twice and that two hear it once are different pictures. See rac_trace_event.
///
/// A hook counts among rac_live_objects() until it is replaced.
///
/// - Parameter context: passed to the callbacks.
/// - Parameter trace: called on whichever thread an event passes, before whoever is downstream hears of
///   it; NULL turns tracing off.
/// - Parameter destroy: runs when the hook has been replaced and its last call has returned; may be
///   NULL.
/// - Returns: RAC_OK, RAC_ENOMEM. Any thread. RAC: the RACSignal DTrace probes. Since: 0.1
@discardableResult
@_cdecl("rac_set_trace")
public func rac_set_trace(_ context: CContext?, _ trace: rac_trace_fn?, _ destroy: rac_destroy_fn?)
  -> rac_status
{
  setHook(context, trace, destroy, "rac_set_trace") { Diagnostics.shared.setTrace($0) }
}

/// Redirects the lines that rac_signal_log_all() and its kind write, and the one that says which error has
/// ended a binding: see rac_property_bind().
///
/// A hook counts among rac_live_objects() until it is replaced.
///
/// - Parameter context: passed to the callbacks.
/// - Parameter log: called on whichever thread an event passes; NULL goes back to standard error.
/// - Parameter destroy: runs when the hook has been replaced and its last call has returned; may be
///   NULL.
/// - Returns: RAC_OK, RAC_ENOMEM. Any thread. Since: 0.1
@discardableResult
@_cdecl("rac_set_log")
public func rac_set_log(_ context: CContext?, _ log: rac_log_fn?, _ destroy: rac_destroy_fn?)
  -> rac_status
{
  setHook(context, log, destroy, "rac_set_log") { Diagnostics.shared.setLog($0) }
}

/// Sets a hook, or none where there is no function: then nobody will need the context.
private func setHook<Function>(
  _ context: CContext?, _ hook: Function?, _ destroy: rac_destroy_fn?, _ function: StaticString,
  _ set: (Hook<Function>?) -> Void
) -> rac_status {
  guard let hook else {
    set(nil)
    destroy?(context)
    return Status.ok
  }
  guard let context = Border.context(context, destroy, function) else { return Border.refused() }
  set(Hook(context: context, function: hook))
  return Status.ok
}
