import CRACShims

/// Names a signal, for logs and traces. Works whether or not names are being recorded.
///
/// Signals and subscriptions made of it before go by the name it had then.
///
/// - Parameter signal: borrowed.
/// - Parameter name: borrowed, copied; valid UTF-8.
/// - Returns: RAC_OK, RAC_ENULL, RAC_ESTALE, RAC_EKIND, RAC_EUTF8. Any thread, at any time, also
///   while others name or use the signal. RAC: -setNameWithFormat:. Since: 0.1
@discardableResult
@c public func rac_signal_set_name(_ signal: CSignal?, _ name: CString?) -> rac_status {
  guard let name else { return Failure.record(Status.null, "the name is NULL") }
  return Border.take(
    rac_value_string_view(name, rac_shim_length(name)), otherwise: { $0 }
  ) { _ in
    Border.check(signal, .signals, as: Signal.self) {
      $0.name = SignalName(name)
      return Status.ok
    }
  }
}

/// A signal's name. Operators name their signals "[source] -operator:" while names are recorded.
///
/// - Parameter signal: borrowed.
/// - Parameter buffer: gets at most `capacity` bytes, the NUL included. May be NULL with capacity
///   0.
/// - Parameter capacity: in bytes.
/// - Returns: the length of the whole name without its NUL, as snprintf does; 0 for none, or with
///   RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -name. Since: 0.1
@c public func rac_signal_describe(_ signal: CSignal?, _ buffer: CBuffer?, _ capacity: CSize)
  -> CSize
{
  var text = TextBuffer()
  Border.use(signal, .signals, as: Signal.self, otherwise: { _ in }) { $0.name?.append(to: &text) }
  return text.write(to: buffer, Border.count(capacity))
}

/// Starts or stops recording names for signals made from now on. The environment variable
/// RAC_DEBUG_SIGNAL_NAMES, if it is set when the library is loaded, starts it. Any thread. Since:
/// 0.1
@c public func rac_set_names_enabled(_ enabled: Bool) {
  Diagnostics.shared.setRecordsNames(enabled)
}

/// Has every event of every subscription made from now on reported, stage by stage.
///
/// Each report says which subscription it is of, by a number, and which thread it passes on: that
/// one subscriber hears a value twice and that two hear it once are different pictures. See
/// rac_trace_event.
///
/// While a recording is on it sees the subscriptions of before, too, as far as that has them.
///
/// A hook counts among rac_live_objects() until it is replaced.
///
/// - Parameter context: passed to the callbacks.
/// - Parameter trace: called on the thread that an event passes on, before its subscriber hears it;
///   NULL turns tracing off.
/// - Parameter destroy: runs when the hook has been replaced and its last call has returned; may be
///   NULL.
/// - Returns: RAC_OK, RAC_ENOMEM; RAC_ECLOSED, unless it takes the hook away. Any thread.
///   RAC: the RACSignal DTrace probes. Since: 0.1
@discardableResult
@c public func rac_set_trace(
  _ context: CContext?, _ trace: rac_trace_fn?, _ destroy: rac_destroy_fn?
) -> rac_status {
  setHook(context, trace, destroy) { Diagnostics.shared.setTrace($0) }
}

/// Redirects the lines that rac_signal_log_all() and its kind write, and those that tell of errors
/// that nobody handles: see rac_set_unhandled_error().
///
/// A hook counts among rac_live_objects() until it is replaced.
///
/// - Parameter context: passed to the callbacks.
/// - Parameter log: called on whichever thread an event passes; NULL goes back to standard error.
/// - Parameter destroy: runs when the hook has been replaced and its last call has returned; may be
///   NULL.
/// - Returns: RAC_OK, RAC_ENOMEM; RAC_ECLOSED, unless it takes the hook away. Any thread. Since:
///   0.1
@discardableResult
@c public func rac_set_log(_ context: CContext?, _ log: rac_log_fn?, _ destroy: rac_destroy_fn?)
  -> rac_status
{
  setHook(context, log, destroy) { Diagnostics.shared.setLog($0) }
}

/// Sets the function that is told of unhandled errors. Without one each error is a line in the log:
/// see rac_set_log(). A function that does nothing silences them.
///
/// An error is unhandled if it arrives at a subscription without an error callback, ends a binding
/// of a property, or is given to rac_report_unhandled_error(). The function is called once, in the
/// place of the missing callback: the subscription's source has been disposed, and destroy comes
/// after. A subscription that was disposed before the error arrived reports none.
///
/// It is a callback like others: it may call the library, but a call that blocks answers
/// RAC_EDEADLK there. A hook counts among rac_live_objects() until it is replaced.
///
/// - Parameter context: passed to the callbacks.
/// - Parameter unhandled: called on the thread that the error arrives on, perhaps on several at
///   once; NULL goes back to the log.
/// - Parameter destroy: runs when the hook has been replaced and its last call has returned; may be
///   NULL.
/// - Returns: RAC_OK, RAC_ENOMEM; RAC_ECLOSED, unless it takes the hook away. Any thread. Since:
///   0.1
@discardableResult
@c public func rac_set_unhandled_error(
  _ context: CContext?, _ unhandled: rac_unhandled_error_fn?, _ destroy: rac_destroy_fn?
) -> rac_status {
  setHook(context, unhandled, destroy) { Diagnostics.shared.setUnhandled($0) }
}

/// Tells of an error that nobody handles: the function of rac_set_unhandled_error(), or the log.
/// For the binding of a language, which gives every subscription an error callback, or whose own
/// callbacks have failed.
///
/// - Parameter chain: borrowed; the name of the signal, as rac_signal_describe() gives it, or
///   another text that says where it was. May be NULL.
/// - Parameter error: borrowed; an error or nil.
/// - Parameter value: borrowed; may be NULL: not known. The value that was being delivered.
/// - Returns: RAC_OK; RAC_EKIND when it is no error; RAC_EUTF8, RAC_ENOMEM. Any thread. Since: 0.1
@discardableResult
@c public func rac_report_unhandled_error(
  _ chain: CString?, _ error: rac_value, _ value: CList<rac_value>?
) -> rac_status {
  guard Border.isReady() else { return Border.refused() }
  let text = chain.map { rac_value_string_view($0, rac_shim_length($0)) } ?? .null
  return Border.take(text, otherwise: { $0 }) { _ in
    Border.takeError(error, otherwise: { $0 }) { error in
      Border.take(value?.pointee ?? .null, otherwise: { $0 }) { seen in
        withUnsafePointer(to: seen) {
          Diagnostics.shared.reportUnhandled(
            error, of: chain.map { SignalName($0) }, at: value == nil ? nil : $0)
        }
        return Status.ok
      }
    }
  }
}

/// Tells a garbage collector which contexts and objects hang on some handles and on nothing else:
/// those whose destroy, or whose class's release, would be called if each of the handles were
/// released now.
///
/// That is what a collector of cycles needs to know: `self.subject` has a subscription that calls a
/// method of `self`, and the library holds the method. A wrapper that owns one reference of a
/// handle calls this where it names its references to the collector, and releases its handle where
/// the collector breaks a cycle: that release frees everything that was visited. Handles that
/// depend on each other, such as those of a subject and of a signal made of it, are given together,
/// by the one object that the collector sees as their owner.
///
/// Each call of `visitor` is one reference that the library holds. The visit goes through every
/// object that nothing else holds: subjects, their subscribers and the values they remember,
/// operators with the objects they hold and the values they remember, subscribers of `create`,
/// connections, sequences, signals and their sources, properties and those derived from them, the
/// contexts of commands and disposables. References held otherwise — by a job or a timer, by
/// another handle, by a thread that is just sending — are not visited: a collector then takes them
/// for alive, and frees nothing that is not garbage. Not visited either are a source to which
/// repeat, retry and their kind subscribe again and again, such as a subject, which they let go
/// when the subscription is disposed; and an operator that subscribes to something when a property
/// ends, as concat does. All below a deliver_on or a delay goes in its turn on the scheduler, and
/// hears nothing more but the end of a property; and nobody knows what a state of rac_signal_step
/// holds.
///
/// Library threads go on meanwhile: a collector that asks several times in one collection, and
/// needs the same answer, asks once and remembers it. Nothing that is visited can be let go of
/// while the caller keeps other threads from running its `destroy`, as with an interpreter's lock.
///
/// - Parameter handles: borrowed; the caller owns each one's only reference, or else nothing is
///   visited for it; where there are several they are given as often. NULL handles are passed over.
///   May be NULL with count 0.
/// - Parameter count: how many.
/// - Parameter visitor: called before this returns, with gates entered: it calls nothing of the
///   library.
/// - Parameter context: passed to `visitor`.
/// - Returns: RAC_OK; RAC_ENULL; RAC_ESTALE when one is no handle any more, and nothing was
///   visited. Any thread, also inside a callback. Takes memory until it returns; where there is
///   none, less is visited. Since: 0.1
@discardableResult
@c public func rac_visit_contexts(
  _ handles: CList<CHandle?>?, _ count: CSize, _ visitor: rac_visit_fn?, _ context: CContext?
) -> rac_status {
  guard let visitor else { return Failure.record(Status.null, "visitor is NULL") }
  if count == 0 { return Status.ok }
  guard let handles else { return Failure.record(Status.null, "the handles are NULL") }
  if Process.isOver { return Border.refuseOver() }
  let all = UnsafeBufferPointer(start: handles, count: Border.count(count))
  for (index, handle) in all.enumerated() {
    if handle == nil || Handles.acquire(OpaquePointer(handle).unsafelyUnwrapped) != nil { continue }
    Handles.unpin(all.prefix(index))
    return Border.refuse(OpaquePointer(handle), .any)
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
