import CRACShims

/// Begins to record what passes through the library into a file, which tools read while the program
/// runs or after its end, also after kill -9: docs/Recording.md. The environment variable
/// RAC_RECORD with a path does it when the library is loaded, and RAC_RECORD_IDLE=1 with it as
/// RAC_RECORDS_COUNTERS does.
///
/// Subscriptions that were made before are not seen. A recording that is there is replaced; if a
/// living process writes it, the number of this one is added to the path. The file is for its owner
/// alone, since the values are in it. A disk that has become full ends the process, as it does for
/// all who map a file; the start is refused where there is little room.
///
/// - Parameter path: borrowed, copied; relative to the working directory.
/// - Parameter options: 0, or RAC_RECORDS_COUNTERS: no events until a tool asks for them.
/// - Returns: RAC_OK; RAC_EBUSY: one goes on already; RAC_EINVAL: the file cannot be made, another
///   one that is no recording is there, or there is no such option; RAC_ENOMEM: no memory, or no
///   room on the disk; RAC_ENULL, RAC_ECLOSED, RAC_EFORK. Any thread. Since: 0.1
@discardableResult
@c public func rac_record_start(_ path: CString?, _ options: UInt32) -> rac_status {
  guard let path else { return Failure.record(Status.null, "the path is NULL") }
  if Process.isOver { return Border.refuseOver() }
  if options & ~UInt32(RAC_RECORDS_COUNTERS) != 0 || path.pointee == 0 {
    return Failure.record(Status.invalid, "no such option, or an empty path")
  }
  let error = rac_recorder_start(path, options & UInt32(RAC_RECORDS_COUNTERS) != 0)
  guard error == 0 else { return refuseRecording(path, error) }
  Diagnostics.shared.recordingChanged()
  Counter.recordAll()
  return Status.ok
}

/// The message has the system's reason and the path.
private func refuseRecording(_ path: CString, _ error: Int32) -> rac_status {
  let status =
    error == EALREADY
    ? Status.busy : error == ENOSPC || error == ENOMEM ? Status.noMemory : Status.invalid
  return Failure.record(status, in: "rac_record_start") {
    rac_recorder_describe(path, error, $0, $1)
  }
}

/// Ends the recording: the file is whole, and nothing is written any more. Another one may begin.
///
/// - Returns: RAC_OK; RAC_EDONE when there was none. Any thread. Since: 0.1
@discardableResult
@c public func rac_record_stop() -> rac_status {
  guard rac_recorder_stop() else {
    return Failure.record(Status.done, "nothing is recorded")
  }
  Diagnostics.shared.recordingChanged()
  return Status.ok
}

/// Writes a text into the recording, between the events of the calling thread: for what a reader
/// should know. Nothing happens while nothing is recorded.
///
/// - Parameter text: borrowed, copied; of more than 84 bytes the rest is left out.
/// - Returns: RAC_OK, RAC_ENULL, RAC_EUTF8, RAC_ECLOSED, RAC_EFORK. Any thread. Since: 0.1
@discardableResult
@c public func rac_record_note(_ text: CString?) -> rac_status {
  guard let text else { return Failure.record(Status.null, "the text is NULL") }
  if Process.isOver { return Border.refuseOver() }
  let length = rac_shim_length(text)
  return Border.take(rac_value_string_view(text, length), otherwise: { $0 }) { _ in
    rac_recorder_note(text, length)
    return Status.ok
  }
}

/// Sets the function that says where a subscription is made, for the binding of a language whose
/// frames are not on the stack: a file, a line and a function. Without one the recording has the
/// addresses of the calling code.
///
/// A hook counts among rac_live_objects() until it is replaced.
///
/// - Parameter context: passed to the callbacks.
/// - Parameter locator: called while a subscription is recorded, on its thread; writes at most
///   `capacity` bytes, such as "app.py:12 main", and returns their number, 0 where it does not
///   know. NULL: none any more.
/// - Parameter destroy: runs when the hook has been replaced and its last call has returned; may be
///   NULL.
/// - Returns: RAC_OK, RAC_ENOMEM; RAC_ECLOSED, unless it takes the hook away. Any thread. Since:
///   0.1
@discardableResult
@c public func rac_record_set_locator(
  _ context: CContext?, _ locator: rac_locator_fn?, _ destroy: rac_destroy_fn?
) -> rac_status {
  setHook(context, locator, destroy) { Diagnostics.shared.setLocator($0) }
}
