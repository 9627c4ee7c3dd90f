/// Calls of the user's that return a sequence through `out`.
enum SequenceCallback {
  /// nil for NULL.
  case sequence(ValueSequence?)
  /// An error the caller owns.
  case failure(Value)

  /// The handle in `out` was transferred: its reference is given back here. A handle that is no
  /// sequence is an error, as is a failing status.
  static func call(_ body: (UnsafeMutablePointer<OpaquePointer?>) -> rac_status) -> SequenceCallback
  {
    asCallback {
      var out: OpaquePointer? = nil
      let status = body(&out)
      return admitted(out, status)
    }
  }

  @inline(never)
  private static func admitted(_ out: OpaquePointer?, _ status: rac_status) -> SequenceCallback {
    defer { if let out { _ = Handles.release(handle: out) } }
    if Callback.hasFailed(status) { return .failure(Callback.error(from: status)) }
    guard let out else { return .sequence(nil) }
    guard let slot = Handles.acquire(out) else {
      return .failure(.error("rac", Status.stale, "a callback returned a stale sequence handle"))
    }
    defer { Handles.release(slot) }
    guard HandleKind.sequence.includes(slot) else {
      return .failure(
        .error("rac", Status.kind, "a callback returned a handle that is no sequence"))
    }
    let object = slot.object
    return .sequence(Unmanaged<ValueSequence>.fromOpaque(object).takeUnretainedValue())
  }
}
