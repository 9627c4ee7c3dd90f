import CRACShims
import Synchronization

/// What a host does before one of its threads falls asleep inside the library, and after it has woken: an
/// interpreter lets go of its lock meanwhile.
///
/// Every call that blocks sleeps by way of `around`; threads of the library that have nothing to do do not.
final class BlockingHook {
  typealias Function = @convention(c) (UnsafeMutableRawPointer?) -> Void

  @exclusivity(unchecked) nonisolated(unsafe) private static var booted: BlockingHook? = nil
  private static var shared: BlockingHook {
    @inline(__always) get { booted.unsafelyUnwrapped }
  }

  /// Called once, when the library is loaded.
  static func boot() { booted = BlockingHook() }

  private struct Pair {
    var before: Function?
    var after: Function?
    var context: Context?

    /// As any callback: what blocks refuses to in there.
    func run(_ function: Function?, _ thread: Thread) {
      guard let function else { return }
      thread.deepen()
      function(context?.pointer)
      thread.surface()
    }
  }

  /// Looked at by every thread that is about to sleep.
  private let isSet = Atomic<Bool>(false)
  private let lock = Lock()
  @exclusivity(unchecked) private var pair = Pair()

  static func set(_ before: Function?, _ after: Function?, _ context: Context?) {
    var old = Pair(before: before, after: after, context: context)
    shared.lock.locked {
      swap(&old, &shared.pair)
      shared.isSet.store(before != nil || after != nil, ordering: .relaxed)
    }
  }

  /// Sleeps, with no lock of the library's held. What the thread slept for may be there when `before` has
  /// returned: so the sleep looks again by itself, as a futex does.
  @inline(__always)
  static func around<Result>(_ sleep: () -> Result) -> Result {
    shared.isSet.load(ordering: .relaxed) ? shared.call(around: sleep) : sleep()
  }

  @inline(never)
  private func call<Result>(around sleep: () -> Result) -> Result {
    let thread = currentThread()
    // What sleeps in a hook all the same does not call it again.
    if thread.pointee.is_blocking { return sleep() }
    let mine = lock.locked { pair }
    thread.pointee.is_blocking = true
    mine.run(mine.before, thread)
    let answer = sleep()
    mine.run(mine.after, thread)
    thread.pointee.is_blocking = false
    mine.context?.calledBack()
    return answer
  }
}
