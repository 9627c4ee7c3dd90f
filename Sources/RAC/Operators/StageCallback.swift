/// Callbacks of the user's that write a value to `*out`.
extension Stage {
  /// Calls one. False: it failed, or wrote what is not sound, and the stream has failed with it.
  /// What is in `out` is to be released in any case.
  @inline(__always)
  final func fill(_ out: inout Value, _ call: (UnsafeMutablePointer<Value>) -> rac_status) -> Bool {
    let status = call(&out)
    if Callback.hasFailed(status) {
      fail(status)
      return false
    }
    return accepts(&out)
  }

  /// Calls one and sends what it wrote; `unwritten` if it writes nothing.
  @inline(__always)
  final func send(
    orElse unwritten: Value = .null, _ call: (UnsafeMutablePointer<Value>) -> rac_status
  ) {
    var out = unwritten
    if fill(&out, call) { downstream.next(out) }
    out.release()
  }

  /// Calls one; an owned value, sound and fit to be kept. nil: it failed, and the stream with it.
  @inline(__always)
  final func result(_ call: (UnsafeMutablePointer<Value>) -> rac_status) -> Value? {
    var out = Value.null
    let status = call(&out)
    if Callback.hasFailed(status) {
      fail(status)
      out.release()
      return nil
    }
    guard accepts(&out) else { return nil }
    // It outlives this call: a view must become a copy.
    return out.isCounted ? out : out.retained()
  }

  /// Ends the stream because of what it was sent.
  @inline(never)
  final func fail(_ status: rac_status, _ message: StaticString) {
    let error = Value.error("rac", status, message)
    self.error(error)
    error.release()
  }
}
