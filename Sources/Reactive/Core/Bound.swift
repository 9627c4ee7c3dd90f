import CRAC

/// How many values were sent, in the whole process, and wait to be delivered: behind the one that
/// is being delivered, for the scheduler of `deliver(on:)`, and where a bound counts them. For
/// diagnosis.
public var queuedValues: Int { Int(clamping: rac_queued_values()) }

/// How much may wait at a place, and what becomes of what comes when that much is waiting.
///
/// A bound that drops, keeps the latest or fails is given to one place. One that holds senders
/// back, `.wait` or `.refuse`, is given to any number of places. Sources that can wait rest while
/// one below them is full, and so do tasks in `sendWhenRoom`. Threads that send are held back where
/// they send — `Subject(bound:)`, `Signal(bound:_:)`, `Property(_:distinct:bound:)` — if the bound
/// was given there first: there is room when each of the places has room.
public final class Bound: Sendable {
  /// The fate of a value for which a bound has no room.
  public enum Policy: Int32, Sendable {
    /// The one that has waited longest gives way.
    case dropOldest = 1
    /// The one that comes is not taken.
    case dropNewest = 2
    /// Only the latest waits.
    case latest = 3
    /// The signal ends with an `EngineError` that `isOverflow`.
    case fail = 4
    /// The sender waits, and its thread with it. Inside a task of Swift's, which would hold up what
    /// it waits for, and inside an observer the value is not taken, and sending answers
    /// `SendResult.wouldDeadlock`; `sendWhenRoom` is for tasks.
    case wait = 5
    /// The value is not taken, and sending answers `SendResult.full`.
    case refuse = 6
  }

  @usableFromInline nonisolated(unsafe) let pointer: OpaquePointer?
  /// Senders wait for room.
  let waits: Bool

  /// - Parameter capacity: how many may wait, 1 or more.
  /// - Parameter policy: for values that come when it is full.
  /// - Parameter timeout: how long a sender waits at most, with `.wait`; nil is for ever.
  public init(_ capacity: Int, _ policy: Policy, timeout: Duration? = nil) {
    pointer = rac_bound_create(Swift.max(capacity, 1), policy.rawValue)
    waits = policy == .wait
    if let timeout { _ = rac_bound_set_timeout(pointer, timeout.seconds) }
  }

  deinit { if let pointer { rac_release(UnsafeMutableRawPointer(pointer)) } }

  /// How many may wait.
  public var capacity: Int { number(RAC_BOUND_CAPACITY) }
  /// How many wait now.
  public var length: Int { number(RAC_BOUND_LENGTH) }
  /// How many have waited at most.
  public var highest: Int { number(RAC_BOUND_HIGHEST) }
  /// How many there was no room for.
  public var dropped: Int { number(RAC_BOUND_DROPPED) }

  private func number(_ what: Int32) -> Int {
    withExtendedLifetime(self) { Int(truncatingIfNeeded: rac_bound_get(pointer, what)) }
  }
}
