import CRAC

/// How a process ended.
public enum ExitStatus: Hashable, Sendable, CustomStringConvertible {
  /// It has left with this code, 0 if all is well.
  case exited(Int32)
  /// A POSIX signal has ended it.
  case signaled(Int32)

  /// As `waitpid` gives it.
  init(waitStatus: Int32) {
    let number = waitStatus & 0x7f
    self = number == 0 ? .exited(waitStatus >> 8 & 0xff) : .signaled(number)
  }

  /// Whether it has left with code 0.
  public var isSuccess: Bool { self == .exited(0) }

  /// For people.
  public var description: String {
    switch self {
    case .exited(let code): "exited with \(code)"
    case .signaled(let number): "ended by signal \(number)"
    }
  }
}

extension Signal<ExitStatus> {
  /// Sends how a child of this process ended, and completes.
  ///
  ///     child       ------exits
  ///     exit(of:)   ------s|
  ///
  /// It waits for that child alone, and reaps it; disposed before that it reaps nothing. One
  /// observation gets the status: share it with `replay`. It fails with an `EngineError` whose
  /// `systemErrorNumber` is ESRCH where there is no such process, and ECHILD where it is no child
  /// of this one, or was reaped by somebody else: Foundation's `Process` does so.
  ///
  /// - Parameters:
  ///   - child: the number of the process.
  ///   - scheduler: where it sends; not the immediate one, nor a virtual one.
  public static func exit(of child: Int32, on scheduler: Scheduler = .main) -> Signal<ExitStatus> {
    withExtendedLifetime(scheduler) {
      converting(rac_signal_child_exit(child, scheduler.pointer)) {
        ExitStatus(waitStatus: try decoded($0))
      }
    }
  }
}

extension Signal<Int32> {
  /// Sends the number whenever a POSIX signal comes: SIGTERM, SIGHUP and such.
  ///
  ///     kill -HUP    --x--x-----
  ///     posixSignal  --1--1-----   (1: SIGHUP)
  ///
  /// While somebody observes, a handler of the library's is in place of the process's own, which
  /// comes back with the end of the last observation. Of signals below SIGRTMIN the system keeps
  /// one, however many come at once.
  ///
  /// - Parameters:
  ///   - number: not SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE, SIGILL.
  ///   - scheduler: where it sends; not the immediate one, nor a virtual one.
  public static func posixSignal(
    _ number: Int32, on scheduler: Scheduler = .main
  ) -> Signal<Int32> {
    withExtendedLifetime(scheduler) {
      Signal(adopting: rac_signal_posix_signal(number, scheduler.pointer))
    }
  }
}
