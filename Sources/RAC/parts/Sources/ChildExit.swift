import CRACShims

/// A signal of a child's end.
///
///     child      ------exits
///     child_exit ------s|   (s: its status)
///
/// It waits for that child alone, and reaps it: by a descriptor (pidfd_open, Linux 5.4), without a
/// handler of SIGCHLD, so other code in the process reaps its own children. A subscription that is
/// disposed before the exit reaps nothing.
///
/// It fails with ESRCH where there is no such process, and with ECHILD where it is not a child of
/// this process, or somebody else has reaped it: another subscription, or the system where SIGCHLD
/// is ignored.
///
/// - Parameter pid: a child of this process, not reaped; greater than 0.
/// - Parameter scheduler: borrowed; sends there. NULL is the main one. Not the immediate one, nor a
///   virtual one.
/// - Returns: one reference; it sends the status as waitpid() gives it, for WIFEXITED() and its
///   like, and completes. Errors are of domain RAC_SYSTEM_ERROR_DOMAIN. One subscription gets the
///   status: share it with rac_signal_replay(). NULL with RAC_EINVAL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_child_exit(_ pid: Int32, _ scheduler: CScheduler?) -> CSignal? {
  guard pid > 0 else { return Border.fail(Status.invalid, "the number of a process is above 0") }
  return Border.source(scheduler, of: nil, Int(pid), "rac_signal_child_exit") {
    ChildReader(Int32(truncatingIfNeeded: $1))
  }
}

private final class ChildReader: Reader {
  private let pid: Int32

  init(_ pid: Int32) { self.pid = pid }

  override func open() -> Int32 { rac_platform_child_open(pid) }

  override func read(_ descriptor: Int32, for source: Source, atMost limit: Int) -> PolledJob.Turn {
    var status: Int32 = 0
    let result = rac_platform_child_reap(descriptor, &status)
    if result < 0 { return source.stopped(Int64(result)) }
    return source.send(.int64(Int64(status))) ? source.complete() : .waits
  }
}
