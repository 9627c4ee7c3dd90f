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

  /// The same with a text that a function writes into the buffer that it is given.
  static func record(
    _ status: rac_status, in function: StaticString,
    _ write: (UnsafeMutablePointer<CChar>?, Int) -> Void
  ) -> rac_status {
    record(status, "", in: function)
    withUnsafeMutableBytes(of: &currentThread().pointee.error_message) {
      write($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
    return status
  }

  /// The function that has failed gives handles.
  static func leaveNull() {
    let thread = currentThread()
    if thread.pointee.chain != nothing { return }
    thread.pointee.chain = broken
    if rac_recording_is_on() { writeDown(thread) }
  }

  /// Into the recording, with the place of the call. There may be no memory.
  @inline(never)
  private static func writeDown(_ thread: Thread) {
    guard rac_recording_is_wanted() else { return }
    let place = rac_recording_place(thread, 0, 0, nil)
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 264) {
      let length = UInt32(clamping: rac_shim_describe_failure(thread, $0.baseAddress, $0.count))
      _ = rac_recording_value(
        thread, UInt8(RAC_RECORDED_REFUSED), place, Value.Kind.string, length, 0, $0.baseAddress)
    }
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
    if thread.pointee.chain != broken { return thread }
    thread.pointee.chain = examined
    if rac_recording_is_on(), rac_recording_is_wanted() {
      rac_recording_event(thread, UInt8(RAC_RECORDED_EXAMINED), 0, 0, 0)
    }
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
