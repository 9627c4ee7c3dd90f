import CRACShims

/// The thread's last error.
///
/// A function that gives a handle answers NULL when it fails, and the next one of a chain, which is
/// given that NULL, fails because of it. So a NULL does not replace a failure that has left one.
/// Nobody can say whether it is the same NULL; but a chain is over when it has ended in a function
/// that gives no handle, and what comes after somebody has asked what was wrong, and has made
/// something else, is another one.
enum Failure {
  /// The reasons for a NULL handle.
  private static let nothing: UInt8 = 0
  private static let broken: UInt8 = 1
  /// A broken chain that somebody has asked about.
  private static let examined: UInt8 = 2

  /// Records a failure of a function, by default of the one that calls; the text stays until the
  /// thread's next failure.
  @inline(never)
  @discardableResult
  static func record(
    _ status: rac_status, _ message: StaticString, in function: StaticString = #function
  ) -> rac_status {
    record(status, message, "", in: function)
  }

  /// The same with a text of up to four parts.
  @inline(never)
  static func record(
    _ status: rac_status, _ first: StaticString, _ second: StaticString,
    _ third: StaticString = "", _ fourth: StaticString = "", in function: StaticString
  ) -> rac_status {
    let thread = currentThread()
    thread.pointee.error_code = status
    thread.pointee.chain = nothing
    rac_shim_name_function(thread, UnsafePointer<CChar>(OpaquePointer(function.utf8Start)))
    withUnsafeMutableBytes(of: &thread.pointee.error_message) {
      var rest = $0
      first.write(to: &rest)
      second.write(to: &rest)
      third.write(to: &rest)
      fourth.write(to: &rest)
    }
    return status
  }

  /// The function that has failed gives handles.
  static func leaveNull() {
    let thread = currentThread()
    if thread.pointee.chain == nothing { thread.pointee.chain = broken }
  }

  /// It does not.
  static func leaveNothing() { currentThread().pointee.chain = nothing }

  /// Whether a NULL that a function is given which gives a handle itself is the one before's.
  static var hasLeftNull: Bool { @inline(never) get { currentThread().pointee.chain != nothing } }

  /// The same for a function that gives none: there a chain ends.
  static func endsChain() -> Bool {
    let thread = currentThread()
    let isBroken = thread.pointee.chain == broken
    thread.pointee.chain = nothing
    return isBroken
  }

  /// Somebody asks what was wrong.
  static func examine() -> Thread {
    let thread = currentThread()
    if thread.pointee.chain == broken { thread.pointee.chain = examined }
    return thread
  }

  /// A handle is given.
  static func goOn() {
    // A thread without a record has had no failure.
    let thread = rac_shim_thread_if_any().unsafelyUnwrapped
    if thread.pointee.chain == examined { thread.pointee.chain = nothing }
  }

  static func clear() {
    let thread = currentThread()
    thread.pointee.error_code = 0
    thread.pointee.chain = nothing
    rac_shim_name_function(thread, "")
    withUnsafeMutableBytes(of: &thread.pointee.error_message) { $0[0] = 0 }
  }
}
