import CRACShims

// The waits of a host's call for other threads.

extension Parker {
  /// Sleeps at the word in a call of the host's: see `sleep`. Closing the library, the interruption
  /// hook, the deadline and the moment end the sleep. A destroy that runs while a sequence is
  /// computed may wait here, too, so the wait graph of sequences records this wait.
  @inline(never)
  static func park(
    at word: UnsafeRawPointer, while expected: UInt32, until deadline: Int64,
    lookingAt moment: Int64 = .max
  ) -> End {
    if let end = over { return end }
    let limit = min(moment, askingLimit(deadline))
    let end = WaitGraph.waitsForSignal { sleep(at: word, while: expected, until: limit) }
    if let end = over { return end }
    if InterruptionHook.stops { return .interrupted }
    return end == .timedOut && limit < deadline ? .moment : end
  }

  /// Parks at the word until `look` finds what the caller waits for, which is `woken`; any other
  /// end says why it did not. `look` returns nil then, and what the word holds otherwise. It is not
  /// called in a forked child, where a lock that it takes may be the parent's for ever.
  @inline(never)
  static func wait(
    at word: UnsafeRawPointer, until deadline: Int64, _ look: () -> UInt32?
  ) -> End {
    var end = End.woken
    while end != .forked, let expected = look() {
      if end.isFinal { return end }
      end = park(at: word, while: expected, until: deadline)
    }
    return end == .forked ? end : .woken
  }

  private static var over: End? {
    !Process.isOver ? nil : Process.isForkedChild ? .forked : .closed
  }

  /// The answer of a call whose wait was in vain, and that did not park.
  static var inVain: rac_status { (over ?? .timedOut).status }

  /// A POSIX signal just before the sleep wakes nobody: a thread that has an interruption hook to
  /// ask does not sleep longer than this.
  static func askingLimit(_ deadline: Int64) -> Int64 {
    InterruptionHook.isSet ? min(deadline, rac_shim_now() &+ askingPause) : deadline
  }
  private static let askingPause: Int64 = 250_000_000
}

extension Parker.End {
  /// The thread waits no longer.
  var isFinal: Bool { self != .woken && self != .moment }

  /// The answer of a call whose wait ended so.
  var status: rac_status {
    switch self {
    case .forked: return Status.fork
    case .closed: return Status.closed
    default: return Status.timedOut
    }
  }
}
