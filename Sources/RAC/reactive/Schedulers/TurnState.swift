/// Whose turn it is to run a host's queue, as a value: HostedScheduler keeps it in an atomic word,
/// and each event is one compare-and-swap. `Tests/model/hosted.pml` has the same steps.
enum TurnState: UInt32 {
  case idle = 0
  case running = 1
  /// A turn came while another was under way, perhaps just after it had looked at the queue.
  case runningAndAsked = 2

  /// A turn came. False: the one under way does what there is to do.
  mutating func begin() -> Bool {
    let isFree = self == .idle
    self = isFree ? .running : .runningAndAsked
    return isFree
  }

  /// The turn under way is over. False: another one came meanwhile, and is now this one's to take.
  mutating func end() -> Bool {
    let isOver = self != .runningAndAsked
    self = isOver ? .idle : .running
    return isOver
  }
}
