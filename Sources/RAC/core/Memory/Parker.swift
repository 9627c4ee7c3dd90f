import CRACShims

/// Where threads fall asleep: each parks at a word, and stays there as long as the word holds what
/// the thread expects. A thread that changes the word wakes those that are parked at it (a futex;
/// the names are those of WebKit's ParkingLot and crossbeam's Parker).
///
/// `rest` is for the library's own threads that have nothing to do. `sleep` is for threads inside a
/// call of the host's, and `park`, in Parking.swift, for those of them that wait for others.
enum Parker {
  /// Why a sleep ended.
  enum End: Equatable {
    /// The word has changed, or somebody has called: the thread looks again.
    case woken
    /// The moment has come at which the thread wanted to look again.
    case moment
    case timedOut
    case closed
    /// The thread is in a forked child that has none of those that would wake it.
    case forked
    case interrupted
  }

  /// Parks a thread of the library's own that has nothing to do. It calls no hook of the host's,
  /// and rac_close() does not end it.
  @inline(__always)
  static func rest(
    at word: UnsafeRawPointer, while expected: UInt32, until deadline: Int64 = .max
  ) {
    _ = rac_shim_futex_wait(word, expected, deadline)
  }

  /// Runs `body`, which falls asleep, between the two functions of the blocking hook.
  ///
  /// The first one may have forked: so the child is asked for after it and before the sleep.
  @inline(never)
  static func sleep(_ body: () -> End) -> End {
    BlockingHook.around { Process.isForkedChild ? .forked : body() }
  }

  @inline(never)
  static func sleep(
    at word: UnsafeRawPointer, while expected: UInt32, until deadline: Int64
  ) -> End {
    sleep { rac_shim_futex_wait(word, expected, deadline) ? .woken : .timedOut }
  }
}
