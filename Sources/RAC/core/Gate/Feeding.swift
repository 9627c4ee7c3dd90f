import CRACShims

/// How a ring of bindings — a property that is bound to something made of itself — is kept from
/// going round for ever inside one call.
///
/// A thread applies the operations that it queues itself, before it leaves the gate, and in a ring
/// each operation queues the next: in the property's gate, or in that of another object in the
/// ring, if that was entered first. So the thread notes while a binding feeds its property, and
/// marks what is queued meanwhile. An operation that a binding queues again, while something marked
/// is applied, counts as nobody's. Like operations of others it is applied for a while and then
/// left to the next sender, or to a worker: see Gate.
///
/// ```
/// none --feed--> feeding, which queues --apply--> going on
/// going on --feed--> going round, which queues for nobody
/// ```
enum Feeding {
  private static let none: UInt32 = 0
  private static let feeding: UInt32 = 1
  private static let goingOn: UInt32 = 2
  private static let goingRound: UInt32 = 3

  /// Runs what a binding does to its property.
  static func feed(_ body: () -> rac_status) -> rac_status {
    let thread = currentThread()
    let before = thread.pointee.feeding
    thread.pointee.feeding = before >= goingOn ? goingRound : feeding
    let status = body()
    thread.pointee.feeding = before
    return status
  }

  /// Applies what was queued.
  static func apply(wasFed: Bool, _ body: () -> Void) {
    let thread = currentThread()
    let before = thread.pointee.feeding
    thread.pointee.feeding = wasFed ? goingOn : none
    body()
    thread.pointee.feeding = before
  }

  /// Whether what the thread queues now is fed.
  static func isFed(_ thread: Thread) -> Bool {
    thread.pointee.feeding == feeding || goesRound(thread)
  }

  /// Whether it may have come all the way round.
  static func goesRound(_ thread: Thread) -> Bool { thread.pointee.feeding == goingRound }
}
