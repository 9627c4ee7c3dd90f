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
/// - Returns: RAC_OK, RAC_ENOMEM; RAC_ECLOSED, unless it takes the hook away. Any thread.
///   RAC: the RACSignal DTrace probes. Since: 0.1
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
/// - Returns: RAC_OK, RAC_ENOMEM; RAC_ECLOSED, unless it takes the hook away. Any thread. Since: 0.1
@discardableResult
@_cdecl("rac_set_log")
public func rac_set_log(_ context: CContext?, _ log: rac_log_fn?, _ destroy: rac_destroy_fn?)
  -> rac_status
{
  setHook(context, log, destroy, "rac_set_log") { Diagnostics.shared.setLog($0) }
}

/// Tells a garbage collector which contexts and objects hang on some handles and on nothing else: those whose
/// destroy, or whose class's release, would be called if each of the handles were released now.
///
/// That is what a collector of cycles needs to know: `self.subject` has a subscription that calls a method of
/// `self`, and the library holds the method. A wrapper that owns one reference of a handle calls this where it
/// names what it refers to, and releases its handle where a cycle is broken: that is all it takes to let go of
/// everything that was visited. Handles that depend on each other, such as those of a subject and of a signal
/// made of it, are given together, by whatever the collector sees as their one owner.
///
/// Each call of `visitor` is one reference that the library holds. Looked into is, as long as nothing else holds
/// it, whatever there is: subjects, their subscribers and what they remember, operators with what they hold and
/// remember, subscribers of `create`, connections, sequences, signals, with those that they are made of, properties
/// and what is derived from them, the contexts of commands and disposables. What is held otherwise — by a job or a
/// timer, by another handle, by a thread that is just sending — is not visited: a collector then takes it for
/// alive, and nothing is let go of that is not garbage. So is what repeat, retry and their kind subscribe to again
/// and again, a subject for one: it ends when the subscription is disposed; and what subscribes to something when a
/// property ends, as concat does. What is below a deliver_on or a delay goes in its turn on the scheduler, and hears
/// nothing more but the end of a property; and of a state of rac_signal_step nobody knows what it is.
///
/// Library threads go on meanwhile: a collector that asks several times in one collection, and needs the same
/// answer, asks once and remembers it. Nothing that is visited can be let go of while the caller keeps other
/// threads from running its `destroy`, as with an interpreter's lock.
///
/// - Parameter handles: borrowed; the caller owns each one's only reference, or else nothing is visited for it;
///   where there are several they are given as often. NULL handles are passed over. May be NULL with count 0.
/// - Parameter count: how many.
/// - Parameter visitor: called before this returns, with gates entered: it calls nothing of the library.
/// - Parameter context: passed to `visitor`.
/// - Returns: RAC_OK; RAC_ENULL; RAC_ESTALE when one is no handle any more, and nothing was visited. Any thread,
///   also inside a callback. Takes memory until it returns; where there is none, less is visited. Since: 0.1
@discardableResult
@_cdecl("rac_visit_contexts")
public func rac_visit_contexts(
  _ handles: UnsafePointer<CHandle?>?, _ count: CSize, _ visitor: rac_visit_fn?,
  _ context: CContext?
) -> rac_status {
  let function: StaticString = "rac_visit_contexts"
  guard let visitor else { return Failure.record(Status.null, function, "visitor is NULL") }
  if count == 0 { return Status.ok }
  guard let handles else { return Failure.record(Status.null, function, "the handles are NULL") }
  if Process.isOver { return Border.refuseOver(function) }
  let all = UnsafeBufferPointer(start: handles, count: Border.count(count))
  for (index, handle) in all.enumerated() {
    if handle == nil || Handles.acquire(OpaquePointer(handle).unsafelyUnwrapped) != nil { continue }
    Handles.unpin(all.prefix(index))
    return Border.refuse(OpaquePointer(handle), .any, function)
  }
  Visiting.visit(all, visitor, context)
  Handles.unpin(all.prefix(all.count))
  return Status.ok
}

extension Handles {
  /// Ends what `acquire` began, for each.
  fileprivate static func unpin(_ handles: Slice<UnsafeBufferPointer<CHandle?>>) {
    for handle in handles {
      if let handle, let (slot, _) = locate(OpaquePointer(handle)) { release(slot) }
    }
  }
}
