import Synchronization

/// Where a property that is set comes into the graph of derived ones: the property as the graph has
/// it.
///
/// The property changes at once, behind its own gate; the graph changes in its turn, which may be
/// another thread's. So the graph has a value of its own of each such property, and everything that
/// is computed in one turn sees that one. There is one tap while something is derived from the
/// property.
final class RootNode: GraphNode {
  private let root: MutablePropertyCore

  // Of the one who owns the root: who is inside its gate, or the batch that has it.

  /// The version of the root that the tap was told of last.
  var known: UInt64
  /// Where values go. They stay in order as long as all go the same way; a shorter one, past turns
  /// that were joined to others, is taken only when none is under way.
  private(set) var route: GraphTurn
  /// How many were left to others.
  private let underWay = Atomic<Int>(0)

  /// Inputs of nodes that are this one, or are going to be. Guarded by the lock of the parts.
  var users = 0

  /// Takes the value over.
  init(_ root: MutablePropertyCore, _ initial: Value, version: UInt64, home: GraphTurn) {
    self.root = root
    known = version
    route = home
    super.init(initial, isDistinct: false, height: 0, home: home, isDraft: false)
  }

  override var owner: PropertyCore { root }

  // MARK: Values, by the root's owner

  /// The root has a new value. True when somebody else has to go on with it.
  @inline(never)
  func feed(_ value: Value, _ version: UInt64, _ thread: Thread) -> Bool {
    known = version
    let route = Unmanaged.passUnretained(route)
    let isThrough = route._withUnsafeGuaranteedRef { turn in
      guard let hold = turn.gate.enter() else { return false }
      let isHere = !turn.isJoined && !(turn.isFar && turn.isCramped)
      if isHere { turn.take(value, by: self, thread) }
      hold.leave(turn)
      return isHere
    }
    return isThrough ? false : feedSlowly(value)
  }

  @inline(never)
  private func feedSlowly(_ value: Value) -> Bool {
    underWay.wrappingAdd(1, ordering: .relaxed)
    route.submitRarely(.next, NodeCarrier(self), value)
    if underWay.load(ordering: .acquiring) > 0 { return true }
    route = route.live
    return false
  }

  /// One of the values that were left to others. Inside the turn.
  override func take(_ value: Value, in turn: GraphTurn) {
    turn.take(value, by: self, currentThread(), isLate: true)
    underWay.wrappingSubtract(1, ordering: .releasing)
  }

  /// A batch has passed all gates on the way with the latest value.
  func shorten(to turn: GraphTurn) { route = turn }

  /// The root has ended. After its last value, so the same way.
  func end() { route.submitRarely(.completed, NodeCarrier(self)) }

  // MARK: Users

  override func lostDependent() {
    guard Parts.drop(self, of: root) else { return }
    // Nothing depends on it any more: the root need not tell it.
    root.knock()
  }

  override func visitLasting(_ visitor: inout Visitor) { visitor.reference(root) }
}
