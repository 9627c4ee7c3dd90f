/// Calls of the user's that return a signal through `out`.
enum SignalCallback {
  case signal(Signal)
  /// An error the caller owns.
  case failure(Value)

  /// NULL stands for an empty signal. The handle in `out` was transferred: its reference is given
  /// back here. A handle that is no signal is an error, as is a failing status.
  static func call(_ body: (UnsafeMutablePointer<OpaquePointer?>) -> rac_status) -> SignalCallback {
    var out: OpaquePointer? = nil
    let status = body(&out)
    return look(status, out)
  }

  /// The same with a lent signal, for a caller that only looks at it.
  @inline(__always)
  static func call(
    _ body: (UnsafeMutablePointer<OpaquePointer?>) -> rac_status, then use: (Signal) -> Void,
    failed: (Value) -> Void
  ) {
    var out: OpaquePointer? = nil
    let status = body(&out)
    if let out, !Callback.needsLook(status), let object = Handles.redeem(out, .plainSignal) {
      Unmanaged<Signal>.fromOpaque(object.toOpaque())._withUnsafeGuaranteedRef(use)
      return object.drop()
    }
    switch look(status, out) {
    case .signal(let signal): use(signal)
    case .failure(let error):
      failed(error)
      error.release()
    }
  }

  @inline(never)
  private static func look(_ status: rac_status, _ out: OpaquePointer?) -> SignalCallback {
    defer { if let out { _ = Handles.release(handle: out) } }
    if Callback.hasFailed(status) { return .failure(Callback.error(from: status)) }
    guard let out else { return .signal(EmptySignal()) }
    guard let slot = Handles.acquire(out) else {
      return .failure(.error("rac", Status.stale, "a callback returned a stale signal handle"))
    }
    defer { Handles.release(slot) }
    guard HandleKind.signals.includes(slot) else {
      return .failure(.error("rac", Status.kind, "a callback returned a handle that is no signal"))
    }
    return .signal(Unmanaged<Signal>.fromOpaque(slot.object).takeUnretainedValue())
  }
}
