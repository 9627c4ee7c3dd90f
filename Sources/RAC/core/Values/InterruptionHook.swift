import Synchronization

/// A question to the host, on the calling thread, before each round of a loop that may go on for
/// ever: an interpreter looks whether somebody has pressed Ctrl-C.
///
/// Asked between two rounds of a loop without an end of its own, and after each sleep of a call
/// that blocks. So a round costs one look at `isSet`, and what has only one costs nothing.
final class InterruptionHook {
  @exclusivity(unchecked) nonisolated(unsafe) private static var booted: InterruptionHook? = nil
  private static var shared: InterruptionHook { booted.unsafelyUnwrapped }

  /// Called once, when the library is loaded.
  static func boot() { booted = InterruptionHook() }

  private let isSet = Atomic<Bool>(false)
  private let lock = Lock()
  @exclusivity(unchecked) private var hook: Hook<rac_interruption_fn>?

  static func set(_ hook: Hook<rac_interruption_fn>?) {
    var old = hook
    shared.lock.locked {
      swap(&old, &shared.hook)
      shared.isSet.store(hook != nil, ordering: .relaxed)
    }
  }

  static var isSet: Bool { shared.isSet.load(ordering: .relaxed) }

  /// Whether to stop, where an error has no place.
  @inline(__always)
  static var stops: Bool {
    guard isSet else { return false }
    return status < 0
  }

  /// The answer of the hook; a failing status: stop.
  static var status: rac_status { isSet ? shared.ask(nil) : Status.ok }

  /// The error to end a signal with, which the caller owns; nil: go on.
  static var error: Value? { isSet ? shared.askForError() : nil }

  @inline(never)
  private func askForError() -> Value? {
    var error: Value? = nil
    _ = ask(&error)
    return error
  }

  @inline(never)
  private func ask(_ error: UnsafeMutablePointer<Value?>?) -> rac_status {
    guard let mine = lock.locked({ hook }) else { return Status.ok }
    let thread = currentThread()
    // As any callback: blocking calls refuse in there.
    thread.deepen()
    let status = mine.function(mine.context.pointer)
    if Callback.hasFailed(status) {
      if let error {
        error.pointee = Callback.error(from: status)
      } else {
        Callback.discardRaised()
      }
    }
    thread.surface()
    mine.context.calledBack()
    return status
  }
}
