import CRACShims

/// Errors that nobody handles: the hook is told, or else the log.
extension Diagnostics {
  func setUnhandled(_ hook: Hook<rac_unhandled_error_fn>?) {
    var old = hook
    lock.locked { swap(&old, &unhandled) }
  }

  /// `place` is what the line of the log begins with.
  @inline(never)
  func reportUnhandled(
    _ error: Value, of name: SignalName?, at value: UnsafePointer<Value>? = nil,
    _ place: StaticString = "nobody handles the error"
  ) {
    if rac_recording_is_on() { recordUnhandled(error) }
    guard let hook = lock.locked({ unhandled }) else {
      return writeUnhandled(error, name, value, place)
    }
    let thread = currentThread()
    // Calls that block are refused, as inside any callback, also when a language's binding reports
    // from outside of callbacks.
    thread.deepen()
    Diagnostics.call {
      SignalName.withText(name) {
        var report = rac_unhandled_error()
        report.size = MemoryLayout<rac_unhandled_error>.size
        report.error = error
        report.chain = $0
        report.value = value
        hook.function(hook.context.pointer, &report)
      }
    }
    thread.surface()
  }

  /// Of the subscription that this thread is delivering to.
  private func recordUnhandled(_ error: Value) {
    guard rac_recording_is_wanted() else { return }
    let thread = currentThread()
    error.record(UInt8(RAC_RECORDED_UNHANDLED), thread.pointee.recorded_node, thread)
  }

  private func writeUnhandled(
    _ error: Value, _ name: SignalName?, _ value: UnsafePointer<Value>?, _ place: StaticString
  ) {
    var line = TextBuffer()
    line.append("rac: ")
    line.append(place)
    if let name {
      line.append(" of \"")
      name.append(to: &line)
      line.append("\"")
    }
    line.append(": ")
    error.describe(to: &line)
    if let value {
      line.append(", at the value ")
      value.pointee.describe(to: &line)
    }
    write(line)
  }
}
