import CRACShims

/// The thread's last error.
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
}
