import CRACShims

/// The thread's last error, and errors that callbacks raise.
enum Failure {
  /// Records a failure of the named function; the text stays until the thread's next failure.
  @inline(never)
  @discardableResult
  static func record(
    _ status: rac_status, _ function: StaticString, _ message: StaticString
  ) -> rac_status {
    let thread = currentThread()
    thread.pointee.error_code = status
    thread.pointee.error_function = UnsafePointer<CChar>(
      OpaquePointer(function.utf8Start))
    withUnsafeMutableBytes(of: &thread.pointee.error_message) {
      let count = min(message.utf8CodeUnitCount, $0.count &- 1)
      rac_shim_copy($0.baseAddress, message.utf8Start, count)
      $0[count] = 0
    }
    return status
  }

  static func clear() {
    let thread = currentThread()
    thread.pointee.error_code = 0
    thread.pointee.error_function = nil
    withUnsafeMutableBytes(of: &thread.pointee.error_message) { $0[0] = 0 }
  }

  // MARK: Errors raised by callbacks

  /// Keeps the error until the callback running on this thread returns a failure.
  static func raise(_ error: Value) {
    let thread = currentThread()
    discardRaised(thread)
    let slot = rac_shim_allocate(16).unsafelyUnwrapped.assumingMemoryBound(to: Value.self)
    slot.initialize(to: error.retained())
    thread.pointee.raised = UnsafeMutableRawPointer(slot)
  }

  static func discardRaised(_ thread: Thread) {
    guard let raised = thread.pointee.raised else { return }
    thread.pointee.raised = nil
    raised.assumingMemoryBound(to: Value.self).pointee.release()
    rac_shim_free(raised)
  }

  /// The error that a callback's failing status stands for; the caller owns it.
  static func error(from status: rac_status) -> Value {
    let thread = currentThread()
    // One that was raised by a callback that then returned something else is not this one's.
    if status != Status.user { discardRaised(thread) }
    if let raised = thread.pointee.raised {
      thread.pointee.raised = nil
      let error = raised.assumingMemoryBound(to: Value.self).pointee
      rac_shim_free(raised)
      return error
    }
    return .error("rac.callback", status, "a callback failed")
  }
}
