import CRACShims

// How the C functions say no. Failure says what a NULL handle may be due to.

extension Border {
  /// Why a handle was not accepted where one of these kinds is needed.
  @inline(never)
  static func refuse(
    _ handle: OpaquePointer?, _ kinds: HandleKind, _ function: StaticString = #function
  ) -> rac_status {
    if Process.isOver { return refuseOver(function) }
    // A NULL at the end of a broken chain does not hide what broke it.
    if handle == nil && Failure.endsChain() { return Status.null }
    guard let handle else {
      return Failure.record(Status.null, "the ", kinds.name, " is NULL", in: function)
    }
    // Of any kind, it can only be stale, or used too often.
    guard kinds != .any, let slot = Handles.acquire(handle) else {
      return Failure.record(
        Status.stale, "the ", kinds.name, " was released, or never was one", in: function)
    }
    let kind = slot.kind.pointee
    Handles.release(slot)
    return refuse(kind, kinds, function)
  }

  /// The same where it is there, of another kind.
  @inline(never)
  static func refuse(
    _ kind: UInt8, _ kinds: HandleKind, _ function: StaticString = #function
  ) -> rac_status {
    Failure.record(
      Status.kind, "a ", kinds.name, " is needed, and this is a ", HandleKind.name(kind),
      in: function)
  }

  /// The same for a function that gives a handle.
  @inline(never)
  static func refuse<Result>(
    _ handle: OpaquePointer?, _ kinds: HandleKind, inChain function: StaticString
  ) -> Result? {
    isBrokenChain(handle) ? nil : none(refuse(handle, kinds, function))
  }

  @inline(never)
  static func fail<Result>(
    _ status: rac_status, _ message: StaticString, in function: StaticString = #function
  ) -> Result? {
    none(Failure.record(status, message, in: function))
  }

  @inline(never)
  @discardableResult
  static func refuseOver(_ function: StaticString = #function) -> rac_status {
    if Process.isClosed {
      return Failure.record(Status.closed, "the library was closed", in: function)
    }
    return Failure.record(
      Status.fork, "the library does not work in this forked child", in: function)
  }

  /// Whether jobs that run a scheduler lie in each other as deep as the calling thread's stack
  /// bears.
  @inline(never)
  static func isTooDeep(toRun function: StaticString) -> Bool {
    if !currentThread().isDeepest { return false }
    Failure.record(
      Status.range, "too many jobs that run a scheduler lie in each other", in: function)
    return true
  }

  /// NULL because an earlier call failed: the error of that call is the one to read.
  static func isBrokenChain(_ handle: OpaquePointer?) -> Bool {
    handle == nil && Failure.hasLeftNull
  }

  /// The answer of a function that returns a status, when something was just refused to it.
  @inline(never)
  static func refused() -> rac_status {
    Failure.leaveNothing()
    return currentThread().pointee.error_code
  }

  /// The answer of a function that gives a handle, when something was refused to it.
  @inline(never)
  static func none<Result>(_ status: rac_status) -> Result? {
    Failure.leaveNull()
    return nil
  }
}
