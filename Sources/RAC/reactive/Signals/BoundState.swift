/// What a bound decides about a value, and what it counts, as a value: it locks nothing and calls
/// nothing. `Bound` feeds it events under its lock, for the stores that it has.
struct BoundState: Equatable {
  /// The fate of a value that comes to a store.
  enum Answer: Equatable {
    case kept
    /// It is kept, and the oldest one that waits has to go.
    case replaced
    case dropped
    /// The stream is to end with an error.
    case overflow
    /// Its sender waits, or is refused.
    case full
  }

  let capacity: Int
  let policy: Bound.Policy

  /// How many wait in all stores, and how many did at most.
  private(set) var length = 0
  private(set) var highest = 0
  private(set) var dropped: UInt64 = 0
  /// Values that were let in and may still get into a store below: those being delivered, and those
  /// that wait at a gate where values enter.
  private(set) var underWay = 0

  init(_ capacity: Int, _ policy: Bound.Policy) {
    self.capacity = policy == .latest ? 1 : capacity
    self.policy = policy
  }

  /// Whether it acts where values enter, and on nothing below.
  var holdsSendersBack: Bool { policy == .wait || policy == .refuse }

  // MARK: Values

  /// A value comes to a store in which so many wait. `isForced`: it is too late to hold its sender
  /// back.
  mutating func comes(waiting: Int, isForced: Bool) -> Answer {
    if waiting < capacity { return .kept }
    switch policy {
    case .dropOldest, .latest: return drops(.replaced)
    case .dropNewest: return drops(.dropped)
    case .error: return drops(.overflow)
    case .wait, .refuse: return isForced ? .kept : .full
    }
  }

  mutating func drops(_ answer: Answer) -> Answer {
    dropped &+= 1
    return answer
  }

  /// So many are in a store.
  mutating func entered(_ count: Int) {
    length &+= count
    if length > highest { highest = length }
  }

  /// So many have left it.
  mutating func left(_ count: Int) { length &-= count }

  // MARK: Those under way

  mutating func begins(_ count: Int) { underWay &+= count }
  mutating func arrives(_ count: Int) { underWay &-= count }

  /// For how many more than are under way a store has room in which so many wait.
  func room(waiting: Int) -> Int { capacity &- waiting &- underWay }
}
