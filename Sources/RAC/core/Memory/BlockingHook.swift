import CRACShims
import Synchronization

/// The host's functions that a thread calls before it falls asleep inside the library, and after it
/// has woken: an interpreter lets go of its lock meanwhile.
///
/// Every call that blocks sleeps by way of `around`; threads of the library that have nothing to do
/// do not.
final class BlockingHook {
  @exclusivity(unchecked) nonisolated(unsafe) private static var booted: BlockingHook? = nil
  private static var shared: BlockingHook { booted.unsafelyUnwrapped }

  /// Called once, when the library is loaded.
  static func boot() { booted = BlockingHook() }

  /// Looked at by every thread that is about to sleep.
  private let isSet = Atomic<Bool>(false)
  private let lock = Lock()
  @exclusivity(unchecked) private var hook: Hook<Around>?

  static func set(_ hook: Hook<Around>?) {
    var old = hook
    shared.lock.locked {
      swap(&old, &shared.hook)
      shared.isSet.store(hook != nil, ordering: .relaxed)
    }
  }

  /// Sleeps; the caller holds no lock of the library's. The event may come while `before` runs, so
  /// the sleep checks for it again, as a futex does.
  static func around<Result>(_ sleep: () -> Result) -> Result {
    shared.isSet.load(ordering: .relaxed) ? shared.call(around: sleep) : sleep()
  }

  @inline(never)
  private func call<Result>(around sleep: () -> Result) -> Result {
    let thread = currentThread()
    // A sleep inside the hook does not call the hook again.
    guard !thread.pointee.is_blocking, let mine = lock.locked({ hook }) else { return sleep() }
    thread.pointee.is_blocking = true
    mine.call(mine.function.before)
    let answer = sleep()
    mine.call(mine.function.after)
    thread.pointee.is_blocking = false
    return answer
  }
}
