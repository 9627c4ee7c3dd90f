import CRACShims
import Synchronization

/// Threads that the system refused.
///
/// What was asked for is refused with a status, before anything is made of it:
/// `Scheduler.isServed`. What comes up later, such as the value that a delay holds, waits, and the
/// threads are asked for again whenever something else is scheduled, and by whoever has nothing to
/// do: a run, a drain or a blocking read, and the threads there are. Once the first of a kind is
/// there it stays, and no work is without one.
enum Staff {
  /// Nanoseconds between two tries of somebody who waits.
  private static let pause: Int64 = 10_000_000

  /// The threads there are: a worker, the one for deadlines, the one for descriptors. They stay.
  static let worker: UInt8 = 1
  static let timers: UInt8 = 2
  static let poll: UInt8 = 4

  /// Whether there are those whom work may wait for, so that nobody need ask.
  @inline(__always)
  static var isComplete: Bool { rac_shim_staff_present() & (worker | timers) == worker | timers }

  /// Asks again for what is missing. True: work still waits for a thread.
  @inline(__always)
  static func isShort() -> Bool {
    WorkerPool.isStarved || TimerThread.shared.isStarved ? askAgain() : false
  }

  @inline(never)
  private static func askAgain() -> Bool {
    let noWorker = WorkerPool.isStarved && !WorkerPool.shared.staff()
    let noTimers = TimerThread.shared.isStarved && !TimerThread.shared.staff()
    return noWorker || noTimers
  }

  /// A thread is missing: whoever is asleep wakes to ask again.
  static func callForHelp() {
    Scheduler.main.wakeForStaff()
    WorkerPool.shared.wakeForStaff()
    TimerThread.shared.wakeForStaff()
  }

  /// Changes what each of the threads calls when it begins to call the host and when that is over.
  /// False: the library is closed.
  @discardableResult
  static func setHook(_ hook: Hook<Around>?) -> Bool {
    guard ThreadHook.shared.set(hook) else { return false }
    WorkerPool.shared.callForHook()
    TimerThread.shared.callForHook()
    PollThread.shared.callForHook()
    return true
  }

  /// Sleeps as rac_shim_futex_wait() does, but wakes now and then to ask again.
  static func wait(_ word: UnsafeRawPointer, _ expected: UInt32, until deadline: Int64) -> Bool {
    let limit = limit(deadline)
    return rac_shim_futex_wait(word, expected, limit) || limit < deadline
  }

  /// The same in a call of the host's, who may have something to do before and after. False also
  /// when the library was closed, and when the interruption hook has stopped the call. A moment
  /// before the deadline ends the sleep, too.
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
      Process.isForkedChild || wait(word, expected, until: limit) || limit < deadline
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

  /// Until when somebody may sleep who has time until then.
  static func limit(_ deadline: Int64) -> Int64 {
    isShort() ? min(deadline, rac_shim_now() &+ pause) : deadline
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
