import CRACShims

/// A signal of a POSIX signal: SIGTERM, SIGHUP and such.
///
///     kill -HUP    --x--x-----
///     posix_signal --1--1-----   (1: SIGHUP)
///
/// While there is a subscription, a handler of the library's is in place of the process's own,
/// which is not called. Each subscription replaces the current handler, also one that the program
/// has installed since the subscription before. The last subscription to a number to go restores
/// the replaced handler, unless the program has installed another one meanwhile: then that stays. A
/// program that saved the library's handler may call it or put it back at any time: without a
/// subscription it passes on to the handler that it replaced, the system's default included, with
/// all signals blocked. Several subscriptions to a number all hear it. System calls that the
/// handler interrupts go on (SA_RESTART).
///
/// The handler runs on whichever thread the system chooses, so one must not have the number
/// blocked; those of the library block all. It sends as often as the handler ran: of signals below
/// SIGRTMIN the system keeps one, however many come at once.
///
/// - Parameter number: SIGTERM and such; not SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE, SIGILL.
/// - Parameter scheduler: borrowed; sends there. NULL is the main one. Not the immediate one, nor a
///   virtual one.
/// - Returns: one reference; it sends the number, and never ends unless there is no descriptor for
///   it. NULL with RAC_EINVAL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_posix_signal(_ number: CInt, _ scheduler: CScheduler?) -> CSignal? {
  guard rac_shim_signal_is_allowed(number) else {
    return Border.fail(Status.invalid, "no signal that can be caught has this number")
  }
  return Border.source(scheduler, of: nil, Int(number), "rac_signal_posix_signal") {
    PosixSignalReader(CInt(truncatingIfNeeded: $1))
  }
}

private final class PosixSignalReader: Reader {
  private let number: CInt

  init(_ number: CInt) { self.number = number }

  override func open() -> Int32 { rac_shim_signal_open(number) }

  override func read(_ descriptor: Int32, for source: Source, atMost limit: Int) -> PolledJob.Turn {
    var one: UInt64 = 0
    if rac_platform_read(descriptor, &one, 8, false) > 0 {
      _ = source.send(.int64(Int64(number)))
    }
    return .waits
  }

  // The handler writes to it.
  override func stop(_ descriptor: Int32) { rac_shim_signal_stop(descriptor) }
}
