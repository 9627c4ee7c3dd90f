import CRACShims

/// Callbacks of the user's that return a status: whether one has failed, and with which error.
///
/// The error given to `rac_raise` belongs to the callback that is running, and goes when that one
/// returns: as its error, or unused. Before it returns it may call the library, and other callbacks
/// run inside it and return, with errors of their own. So a thread keeps a list, the latest first,
/// of at most one error for each *level*: how many gates, jobs, subscriptions and callbacks it is
/// inside of.
///
/// ```
/// level 1   map     raises X  -- sends --                       returns RAC_EUSER: fails with X
/// level 2     filter                     raises Y, returns RAC_OK: Y goes, X stays
/// ```
/// The caller of a callback asks `hasFailed` when it has returned. That costs a success nothing:
/// see `rac_shim_raised`.
enum Callback {
  /// False is certain: it has neither failed nor raised anything.
  static func needsLook(_ status: rac_status) -> Bool { rac_shim_needs_look(status) }

  /// Whether the callback that just returned has failed. If not, an error that it raised is
  /// dropped.
  static func hasFailed(_ status: rac_status) -> Bool {
    rac_shim_needs_look(status) && hasFailedOrRaised(status)
  }

  @inline(never)
  private static func hasFailedOrRaised(_ status: rac_status) -> Bool {
    if status < 0 { return true }
    discardRaised()
    return false
  }

  /// The error that the failing status stands for; the caller owns it.
  static func error(from status: rac_status) -> Value {
    if status == Status.user, let raised = takeRaised() { return raised }
    discardRaised()
    return text(of: status) { .error("rac.callback", status, message: $0) }
  }

  /// A text about a failing status: its name, or the number where it is one of the user's own, and
  /// the system's text where that may be an errno with its sign turned.
  private static func text(
    of status: rac_status, _ body: (UnsafePointer<CChar>) -> Value
  ) -> Value {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 160) {
      var rest = UnsafeMutableRawBufferPointer($0)
      ("a callback returned " as StaticString).write(to: &rest)
      if let name = Status.name(status) {
        name.write(to: &rest)
      } else {
        let number = rest.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self)
        let length = Int(rac_shim_print_int(number, rest.count, Int64(status)))
        if status >= -Status.largestErrno {
          _ = rac_shim_print_system_error(number + length, rest.count &- length, "", 0 &- status)
        }
      }
      return body($0.baseAddress.unsafelyUnwrapped)
    }
  }

  /// Calls a callback, and sees to what it returned, where no gate, job or subscription makes a
  /// level of its own for it.
  static func inside<Result>(_ body: () -> Result) -> Result {
    let thread = currentThread()
    thread.pointee.calling = thread.pointee.calling &+ 1
    let result = body()
    thread.pointee.calling = thread.pointee.calling &- 1
    return result
  }

  // MARK: Raised errors

  /// Keeps the error for the callback that is running on this thread. Outside of callbacks there is
  /// nobody to keep it for.
  static func raise(_ error: Value) {
    discardRaised()
    let thread = currentThread()
    guard thread.level > 0 else { return }
    let raised = rac_shim_allocate(MemoryLayout<RaisedError>.size).unsafelyUnwrapped
    raised.assumingMemoryBound(to: RaisedError.self).initialize(
      to: RaisedError(error: error.retained(), level: thread.level, outer: thread.pointee.raised))
    thread.pointee.raised = raised
    rac_shim_count_raised(1)
  }

  /// Drops what the callback that just returned has raised, or one inside it left behind.
  static func discardRaised() {
    let thread = currentThread()
    discardRaised(thread, from: thread.level)
  }

  @inline(never)
  static func discardRaised(_ thread: Thread, from level: UInt32) {
    while let error = takeLatest(thread, from: level) { error.release() }
  }

  private static func takeRaised() -> Value? {
    let thread = currentThread()
    defer { discardRaised(thread, from: thread.level) }
    return takeLatest(thread, from: thread.level)
  }

  private static func takeLatest(_ thread: Thread, from level: UInt32) -> Value? {
    guard let raised = thread.pointee.raised else { return nil }
    let latest = raised.assumingMemoryBound(to: RaisedError.self).pointee
    if latest.level < level { return nil }
    thread.pointee.raised = latest.outer
    rac_shim_free(raised)
    rac_shim_count_raised(-1)
    return latest.error
  }
}

extension Value {
  /// The value that a callback of the user's writes, owned; nil: it failed, or wrote no sound one.
  static func made(_ call: (UnsafeMutablePointer<Value>) -> rac_status) -> Value? {
    var out = Value.null
    let isMade = Callback.inside {
      if !Callback.hasFailed(call(&out)) { return true }
      Callback.discardRaised()
      return false
    }
    guard isMade else {
      out.release()
      return nil
    }
    switch out.admitted() {
    case .sound: return out.kept()
    case .copied(let copy): return copy
    case .refused: return nil
    }
  }
}

private struct RaisedError {
  /// Owned.
  let error: Value
  let level: UInt32
  /// The one of a level further out.
  let outer: UnsafeMutableRawPointer?
}

extension UnsafeMutablePointer where Pointee == rac_thread {
  /// How many gates, jobs, subscriptions and callbacks the thread is inside of.
  fileprivate var level: UInt32 {
    pointee.depth &+ pointee.subscribing &+ pointee.calling
  }
}
