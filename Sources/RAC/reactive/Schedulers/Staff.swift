import CRACShims
import Synchronization

/// How a call of the host's sleeps.
enum Staff {
  /// Sleeps as rac_shim_futex_wait() does in a call of the host's, who may have something to do
  /// before and after. False also when the library was closed, and when the interruption hook has
  /// stopped the call. A moment before the deadline ends the sleep, too.
  @inline(never)
  static func block(
    _ word: UnsafeRawPointer, _ expected: UInt32, until deadline: Int64,
    lookingAt moment: Int64 = .max
  ) -> Bool {
    if Process.isOver { return false }
    let limit = min(moment, Staff.askingLimit(deadline))
    let isInTime = BlockingHook.around {
      // The hook may have forked, and nobody wakes this one in a child that has none of those who
      // would.
      Process.isForkedChild || rac_shim_futex_wait(word, expected, limit) || limit < deadline
    }
    return isInTime && !Process.isOver && !InterruptionHook.stops
  }

  /// A signal that came just before the sleep wakes nobody: so who has an interruption hook to ask
  /// sleeps no longer.
  static func askingLimit(_ deadline: Int64) -> Int64 {
    InterruptionHook.isSet ? min(deadline, rac_shim_now() &+ askingPause) : deadline
  }
  private static let askingPause: Int64 = 250_000_000

  /// What a call answers whose wait was for nothing.
  static var waitedInVain: rac_status {
    Process.isForkedChild ? Status.fork : Process.isClosed ? Status.closed : Status.timedOut
  }
}

extension Drained {
  /// False when `timeout` nanoseconds (negative: for ever) passed first.
  func wait(timeout: Int64) -> Bool {
    let deadline = timeout < 0 ? .max : rac_shim_now() &+ timeout
    while let word = expect() {
      if !Staff.block(word, Drained.awaited, until: deadline) { return isDone }
    }
    return true
  }
}
