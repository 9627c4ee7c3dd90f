import CRACShims

/// Spin-then-park: before a thread parks it looks again a few times, first between pauses and then
/// between yields (Karlin, Li, Manasse, Owicki: Empirical Studies of Competitive Spinning; the
/// budget is fixed, as in folly's Spin.h and crossbeam's Backoff).
///
/// Where two threads answer each other, waking one costs many times what the other needs for its
/// answer; a short nap is the sign of that. Anywhere else spinning would be in vain, so after a
/// longer nap the thread parks at once.
///
/// Where both have fallen asleep, each answer takes a wake, for which the budget is too short: they
/// would park at every step from then on. So one wait in 32 goes on for as long as a wake takes. At
/// that rate it adds little where nobody answers: 3 µs a wait.
struct Spin {
  private static let pauses = 64
  private static let yields = 8
  /// Nanoseconds, more than two wakes take. Where threads answer each other a nap is the time of
  /// two: 90 µs in a virtual machine whose processors have gone idle. A limit below that never
  /// begins to spin again once both sides have slept.
  private static let shortNap: Int64 = 200_000
  /// One wake, and the answer.
  private static let longLook: Int64 = 100_000
  private static let waitsToLong: UInt8 = 32
  /// Beside a busy program a yield may take as long, in which no answer is heard and no deadline.
  private static let slice: Int64 = 10_000_000

  /// The last nap was short.
  private(set) var isWorthwhile = false
  /// The last wake came from this very processor, where pauses would keep the other side from
  /// answering.
  private var yieldsFirst = false

  /// Waits since the last long one.
  private var waits = Spin.waitsToLong

  /// Looks whether the condition holds until the budget is spent, and returns the last answer.
  /// Before the first yield, which may be for a slice, `lettingGo` is called, and one more look
  /// follows.
  @inline(__always)
  mutating func wait(
    until deadline: Int64 = .max, lettingGo: () -> Void = {}, _ condition: () -> Bool
  ) -> Bool {
    if waits < Spin.waitsToLong { waits &+= 1 }
    var left = yieldsFirst ? 0 : Spin.pauses
    while left > 0 {
      if condition() { return true }
      rac_shim_pause()
      left &-= 1
    }
    if deadline != .max && deadline &- rac_shim_now() < Spin.slice { return condition() }
    lettingGo()
    left = Spin.yields
    while left > 0 {
      if condition() { return true }
      rac_shim_yield()
      left &-= 1
    }
    if waits < Spin.waitsToLong { return condition() }
    waits = 0
    let end = rac_shim_now() &+ Spin.longLook
    repeat {
      if condition() { return true }
      rac_shim_yield()
    } while rac_shim_now() < end
    return condition()
  }

  /// After a nap that says nothing of the next one.
  mutating func forget() { isWorthwhile = false }

  /// After a nap, which a call from that processor has ended; -1 where the system does not say.
  mutating func isWoken(since start: Int64, from processor: Int32) {
    isWorthwhile = rac_shim_now() &- start < Spin.shortNap
    yieldsFirst = processor >= 0 && processor == rac_shim_processor()
  }
}
