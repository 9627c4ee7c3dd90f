import CRACShims
import Synchronization

/// The host's functions that each thread of the library's calls before its first callback, and
/// after its last: an interpreter makes a state for the thread, and frees it.
///
/// A change of the hook advances a number and wakes the sleeping threads. Each thread compares the
/// number with that of its own `Visit` before it works. So it calls the functions itself, between
/// two pieces of work.
final class ThreadHook {
  @exclusivity(unchecked) nonisolated(unsafe) private static var booted: ThreadHook? = nil
  static var shared: ThreadHook { booted.unsafelyUnwrapped }

  /// Called once, when the library is loaded.
  static func boot() { booted = ThreadHook() }

  private let lock = Lock()
  @exclusivity(unchecked) private var hook: Hook<Around>?
  /// Advanced with every change, under the lock.
  private let number = Atomic<UInt32>(0)
  /// Threads that have called `before`, or are about to, and have yet to call `after`.
  private let visitors = Atomic<Int>(0)

  var hasVisitors: Bool { visitors.load(ordering: .acquiring) != 0 }

  /// The caller has yet to wake the threads. False, and there is no hook: the library is closed.
  /// Closing takes the hook away under the lock, so a later caller sees there that the library is
  /// closed.
  func set(_ new: Hook<Around>?) -> Bool {
    var old = new
    return lock.locked {
      if Process.isClosed && new != nil { return false }
      swap(&old, &hook)
      number.store(number.load(ordering: .relaxed) &+ 1, ordering: .releasing)
      return true
    }
  }

  /// The hook that a thread of the library's has called.
  struct Visit {
    private var number: UInt32 = 0
    private var hook: Hook<Around>?

    var isOver: Bool { ThreadHook.shared.number.load(ordering: .acquiring) != number }

    /// Before the thread works, and before it sleeps. It holds no lock.
    mutating func renew() {
      if isOver { ThreadHook.shared.renew(&self) }
    }

    fileprivate mutating func replace(_ hook: Hook<Around>?, _ number: UInt32) -> Hook<Around>? {
      let old = self.hook
      self = Visit(number: number, hook: hook)
      return old
    }

    init() {}

    private init(number: UInt32, hook: Hook<Around>?) {
      self.number = number
      self.hook = hook
    }
  }

  @inline(never)
  private func renew(_ visit: inout Visit) {
    var fresh: Hook<Around>? = nil
    var now: UInt32 = 0
    lock.locked {
      fresh = hook
      now = number.load(ordering: .relaxed)
      if fresh != nil { visitors.wrappingAdd(1, ordering: .relaxed) }
    }
    if Self.leave(visit.replace(fresh, now)) { visitors.wrappingSubtract(1, ordering: .releasing) }
    if let fresh { fresh.call(fresh.function.before) }
    Process.standStillIfForked()
  }

  /// Calls `after`, and lets go of the hook before the thread no longer counts: rac_close waits
  /// for its destroy, too.
  private static func leave(_ old: consuming Hook<Around>?) -> Bool {
    guard let old else { return false }
    old.call(old.function.after)
    return true
  }
}
