import CRACShims
import Synchronization

/// A place in a graph of derived properties: a derived property itself, or a tap, by which a
/// property that is set comes into the graph.
///
/// ```
/// height  0      1       2
///        tap --> map --> combination      inputs are lower than what is made of them
///           \--> map -----^
/// ```
/// Nodes that are connected live in one part of the graph and change in its turn; what is here
/// belongs to whoever is inside that. The node's own gate only carries the handle.
class GraphNode: PropertyCore {
  /// One more than its highest input's. Inputs never change, so heights do not.
  final let height: Int32
  /// The turn of the part in which the node was made. That part may have been joined to others
  /// since.
  final let home: GraphTurn
  /// To the nodes whose input this one is.
  final var edges = EdgeList()

  /// What was computed in this turn, owned until it is published.
  final var fresh: Value = .null
  final var retired = LatestValue.none
  /// In line to be computed in this turn.
  final var isInLine = false
  /// `settled` once the node has its place in the graph; before, see Draft.
  final let claim: Atomic<UInt>
  static let settled: UInt = 2

  final var isSettled: Bool { claim.load(ordering: .acquiring) == GraphNode.settled }

  /// Ends with this turn.
  final var isDoomed = false
  /// Nobody can ask for the value any more, so it may be gone.
  final let isForgotten = Atomic<Bool>(false)
  /// The next one in line at the same height.
  final var following: Unmanaged<GraphNode>?

  init(_ initial: Value, isDistinct: Bool, height: Int32, home: GraphTurn, isDraft: Bool) {
    claim = Atomic(isDraft ? 0 : GraphNode.settled)
    self.height = height
    self.home = home
    super.init(initial, isDistinct: isDistinct, isReadOnly: true)
  }

  deinit { edges.deallocate() }

  /// The turn in which the node changes. To be found by those who take no part in it: whoever does
  /// passes the gates that lead there. See Parts.
  final var turn: GraphTurn { home.live }

  override final var part: GraphTurn? { Parts.top(of: home) }
  override final func use(in home: GraphTurn) -> GraphNode? { self }

  /// The property that this one is, or stands for.
  var owner: PropertyCore { self }

  /// A draft's value is of who has claimed it.
  final func forgetOnceSettled() {
    isForgotten.store(true, ordering: .relaxed)
    if isSettled { forget() }
  }

  /// An input of something else no longer.
  func lostDependent() {}

  /// A new value has come to an input, or the end; computes the next value into `fresh`. False:
  /// there is no change. Inside the turn.
  func compute() -> Bool { false }

  /// A value that has waited, inside the turn.
  func take(_ value: Value, in turn: GraphTurn) {}

  // MARK: Subscribers

  override final func attach(_ sink: Sink) {
    sink.isFed(by: self)
    sink.scope.add(sink)
    let turn = turn
    if turn.isInside(currentThread()) {
      turn.welcome(sink, to: self)
    } else {
      turn.submitRarely(.add, sink)
    }
  }

  override final func detach(_ object: Object) { turn.submitRarely(.remove, object) }

  override final func join(_ sink: Sink) {
    if greet(sink) { seat(sink) }
  }

  /// A sink that knows the current value.
  @inline(never)
  final func seat(_ sink: Sink) {
    guard sink.scope.isActive else { return }
    if hasEnded { return end(sink) }
    guard subscribers.makeRoom() else { return refuse(sink) }
    append(sink)
    if isFar { turn.reach(to: reach) }
  }

  /// There is one gate for all that is connected. Entered, nobody passes it; somebody may have
  /// before.
  override final func isEntered(by visitor: inout Visitor) -> Bool {
    let turn = turn
    return visitor.enter(turn) && !turn.isLeftBehind
  }

  /// Edges keep nobody: who has all references to a node may still meet a turn that changes it.
  override final func visit(_ visitor: inout Visitor) {
    visitLasting(&visitor)
    guard isEntered(by: &visitor) else { return }
    visitor.value(current)
    visitor.value(endError)
    visitInputs(&visitor)
  }

  /// What it holds from its first day to its last; and what its turn may have it let go of.
  func visitLasting(_ visitor: inout Visitor) {}
  func visitInputs(_ visitor: inout Visitor) {}
}

/// Brings an operation to the node's turn where it has to wait: a value, or the end.
final class NodeCarrier: Object {
  let node: GraphNode

  @inline(never)
  init(_ node: GraphNode) { self.node = node }
}

/// Nodes, in raw memory that is used again. They are kept alive by what they are in the list for: a
/// node that is connected goes only with an operation of its turn.
struct NodeList {
  private var nodes: UnsafeMutablePointer<Unmanaged<GraphNode>>?
  private var capacity = 0
  private(set) var count = 0

  @inline(__always)
  mutating func append(_ node: GraphNode) {
    if count == capacity { grow() }
    nodes.unsafelyUnwrapped[count] = .passUnretained(node)
    count &+= 1
  }

  /// Also those that are added meanwhile.
  @inline(__always)
  func node(at index: Int) -> Unmanaged<GraphNode> { nodes.unsafelyUnwrapped[index] }

  mutating func removeAll() { count = 0 }

  mutating func popLast() -> GraphNode? {
    if count == 0 { return nil }
    count &-= 1
    return node(at: count).takeUnretainedValue()
  }

  /// By insertion: what is sorted is short, or in order mostly.
  func sort(_ comesBefore: (GraphNode, GraphNode) -> Bool) {
    guard let nodes else { return }
    var end = 1
    while end < count {
      var place = end
      while place > 0,
        comesBefore(
          nodes[place].takeUnretainedValue(), nodes[place &- 1].takeUnretainedValue())
      {
        let node = nodes[place]
        nodes[place] = nodes[place &- 1]
        nodes[place &- 1] = node
        place &-= 1
      }
      end &+= 1
    }
  }

  func deallocate() { rac_shim_free(nodes) }

  @inline(never)
  private mutating func grow() {
    let larger = capacity == 0 ? 4 : capacity &* 2
    let stride = MemoryLayout<Unmanaged<GraphNode>>.stride
    nodes = rac_shim_enlarge(nodes, capacity &* stride, larger &* stride)
      .unsafelyUnwrapped.assumingMemoryBound(to: Unmanaged<GraphNode>.self)
    capacity = larger
  }
}
