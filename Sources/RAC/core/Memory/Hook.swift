/// A function of the host's for all of the process, or several that go together. A thread that is
/// calling it keeps its context.
struct Hook<Function> {
  let context: Context
  let function: Function

  /// Calls one that gets only the context, as any callback: calls that block are refused in there.
  func call(_ function: Around.Function?) {
    guard let function else { return }
    let thread = currentThread()
    thread.deepen()
    function(context.pointer)
    thread.surface()
    context.calledBack()
  }
}

/// Two functions of the host's: one to call before something, one after it.
struct Around {
  typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Void

  let before: Function?
  let after: Function?

  /// nil: neither.
  init?(_ before: Function?, _ after: Function?) {
    if before == nil && after == nil { return nil }
    self.before = before
    self.after = after
  }
}
