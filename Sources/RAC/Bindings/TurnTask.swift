/// Something to be done in a turn that is more than an operation and a value. It may be about
/// several nodes of one part, and waits for those who are at one of them in a turn further down: by
/// passing the gates of those first. See Parts.
class TurnTask: Object {
  final let nodes: [GraphNode]

  @inline(never)
  init(_ nodes: [GraphNode]) { self.nodes = nodes }

  final func start() { goal.submitRarely(.fire, self) }

  /// Where to go on from a turn that was joined to another.
  func next(after turn: GraphTurn) -> GraphTurn { goal }

  /// The first turn on the way of a node that nobody has passed though it was joined to another;
  /// else that to which all lead.
  private final var goal: GraphTurn {
    nodes.withUnsafeBufferPointer {
      var turn = $0[0].home
      var index = 0
      while index < $0.count {
        turn = $0[index].home
        index &+= 1
        while let parent = turn.parent {
          if !turn.isLeftBehind { return turn }
          turn = parent
        }
      }
      return turn
    }
  }

  /// In the turn that counts. Mostly that is a turn of the task's own, which calls what follows.
  func perform(in turn: GraphTurn) { turn.take(self) }

  /// Has nodes computed.
  func begin(in turn: GraphTurn) {}
  func publish(in turn: GraphTurn) { turn.publish() }
  /// After the nodes' values.
  func deliver(in turn: GraphTurn) {}
}

/// A new node takes its place in the graph.
final class Connecting: TurnTask {
  private let node: DerivedNode
  private var isAdmitted = false
  private var isComputed = false
  private var versionBefore: UInt64 = 0
  /// The next one that waits for the same node: see Draft.
  var following: Connecting?

  init(_ node: DerivedNode, _ inputs: [GraphNode]) {
    self.node = node
    super.init(inputs)
  }

  override func begin(in turn: GraphTurn) {
    isAdmitted = node.admits(self)
    guard isAdmitted else { return }
    // Released before its turn came.
    if node.hasEnded { return node.forgetDraft() }
    isComputed = !node.isUpToDate
    versionBefore = node.latest.version
    if !node.connect() {
      turn.doom(node)
    } else if isComputed {
      turn.putInLine(node)
    } else if node.changesOfDraft > 0 {
      turn.bring(node)
      return
    }
    node.forgetDraft()
  }

  override func publish(in turn: GraphTurn) {
    turn.publish()
    if isAdmitted { node.settle(isComputed: isComputed, after: versionBefore) }
  }
}
