import CRAC

/// The fate of a value or an end that was sent.
public struct SendResult: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The C interface's status.
  public let rawValue: Int32

  /// From a status of the C interface.
  @inlinable
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Everybody who observes has heard it.
  public static let delivered = SendResult(rawValue: rac_status(RAC_OK))
  /// It comes in its turn: another thread, or this one further up its stack, is sending just now.
  public static let queued = SendResult(rawValue: rac_status(RAC_QUEUED))
  /// A bound had no room for it, and it does not come.
  public static let dropped = SendResult(rawValue: rac_status(RAC_DROPPED))
  /// The observation had ended or was disposed: an `Observer`'s answer. A subject, which may have
  /// any number of observers, answers `delivered` when there is none any more.
  public static let ended = SendResult(rawValue: rac_status(RAC_EDONE))
  /// A bound that refuses has no room for it now; it may be sent again.
  public static let full = SendResult(rawValue: rac_status(RAC_EAGAIN))
  /// A bound that waits had no room for it within its time.
  public static let timedOut = SendResult(rawValue: rac_status(RAC_ETIMEDOUT))
  /// A bound that waits has no room for it, and does not wait inside an observer or a task of
  /// Swift's, for which it might have to wait. It may be sent again, by a task with `sendWhenRoom`.
  public static let wouldDeadlock = SendResult(rawValue: rac_status(RAC_EDEADLK))

  /// Whether it has arrived or will.
  public var isAccepted: Bool { self == .delivered || self == .queued }

  /// Its name, or the number of another status.
  public var description: String {
    switch self {
    case .delivered: "delivered"
    case .queued: "queued"
    case .dropped: "dropped"
    case .ended: "ended"
    case .full: "full"
    case .timedOut: "timedOut"
    case .wouldDeadlock: "wouldDeadlock"
    default: "refused (\(rawValue))"
    }
  }
}
