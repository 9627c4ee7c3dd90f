import CRACShims
import Synchronization

/// A node of the graph of derived properties: a derived property itself, or a root node, by which a
/// property that is set comes into the graph.
///
/// ```
/// height  0      1       2
///        root -> map --> combination      inputs are lower than what is made of them
///           \--> map -----^
/// ```
/// All of it belongs to the thread inside the node's component. The node's own gate only carries
/// the handle.
class GraphNode: PropertyCore {
  /// One more than its highest input's. Inputs never change, so heights do not.
  final let height: Int32
  /// The component in which the node was made. It may have been united with others since.
  final let home: Component
  /// The latest values of its inputs, in a row; nil: it has none.
  final let inputValues: UnsafeMutablePointer<Value>?
  /// To the nodes whose input this one is.
  @exclusivity(unchecked) final var edges = EdgeList()

  /// The value computed in this propagation, owned until it is published.
  final var fresh: Value {
    @inline(__always) get { wholeFresh.value }
    @inline(__always) set { wholeFresh = WholeValue(newValue) }
  }
  @exclusivity(unchecked) private final var wholeFresh = WholeValue(.null)
  /// Retires the value before; nothing but in a propagation.
  @exclusivity(unchecked) final var retired = SeqlockValue.none
  /// In line to be computed in this propagation.
  @exclusivity(unchecked) final var isInLine = false
  /// Once the node has its place in the graph; before, see Draft.
  final let settled: Atomic<Bool>
  final var isSettled: Bool { settled.load(ordering: .acquiring) }

  /// Ends with this propagation.
  @exclusivity(unchecked) final var isDoomed = false
  /// The last handle is gone, so the value may be, too.
  final let isForgotten = Atomic<Bool>(false)
  /// The next one in line at the same height.
  @exclusivity(unchecked) final var following: Unmanaged<GraphNode>?

  init(
    _ initial: Value, isDistinct: Bool, height: Int32, home: Component,
    inputValues: UnsafeMutablePointer<Value>? = nil
  ) {
    settled = Atomic(inputValues == nil)
    self.height = height
    self.home = home
    self.inputValues = inputValues
    super.init(initial, isDistinct: isDistinct, isReadOnly: true, traits: .derived)
  }

  deinit { edges.deallocate() }

  /// The component in which the node changes, for threads that take no part in the change. Others
  /// pass the gates that lead there.
  final var component: Component { home.live }

  /// The property that this one is, or stands for.
  var owner: PropertyCore { self }

  /// An input has a new value.
  @inline(__always)
  final func hear(_ value: Value, _ position: Int) {
    let place = UnsafeMutableRawPointer(inputValues.unsafelyUnwrapped + position)
    place.storeBytes(of: WholeValue(value), as: WholeValue.self)
  }

  /// Makes the value that was computed the current one. A subscriber may want to know the one
  /// before.
  @inline(__always)
  final func publishFresh() -> SeqlockValue.Retired {
    if subscribers.count > 0 { previous = current }
    return publish(fresh)
  }

  /// An input of something else no longer.
  func lostDependent() {}

  /// The edge to that input has another place.
  func edgeMoved(_ position: Int, to place: Int32) {}

  /// It has ended, and lets its inputs go.
  func disconnect() {}

  /// A value that has waited, for the caller to release. Under the lock of components.
  func takeWaiting() -> Value { .null }
  /// That has had its turn.
  func hasTakenTurn() {}

  // MARK: Subscribers

  /// From inside a propagation a subscriber gets the current value here and now. It takes its place
  /// at once while callbacks compute, and afterwards when the propagation is over.
  override final func attach(_ sink: Sink) {
    sink.isFed(by: self)
    sink.scope.add(sink)
    let component = component
    if !component.isInside(currentThread()) {
      component.submitRarely(.add, sink)
    } else if component.isComputing {
      join(sink)
    } else if greet(sink) {
      component.newcomers.append(sink)
    }
  }

  override final func detach(_ object: Object) { component.submitRarely(.remove, object) }

  override final func join(_ sink: Sink) {
    if greet(sink) { seat(sink) }
  }

  /// A sink that knows the current value.
  final func seat(_ sink: Sink) {
    guard sink.scope.isActive else { return }
    if hasEnded { return end(sink) }
    append(sink)
    if isFar { component.reach(to: reach) }
  }

  /// There is one gate for all that is connected. Entered, no thread passes it; one may have
  /// before.
  override final func isEntered(by visitor: inout Visitor) -> Bool {
    let component = component
    return visitor.enter(component) && !component.isDrained
  }

  /// Edges keep no node: a propagation may change a node even if a walk has found all references to
  /// it.
  override final func visit(_ visitor: inout Visitor) {
    visitLasting(&visitor)
    guard isEntered(by: &visitor) else { return }
    visitor.value(current)
    visitor.value(endError)
    visitInputs(&visitor)
  }

  /// References that it holds for its whole life, and those that a propagation may release.
  func visitLasting(_ visitor: inout Visitor) {}
  func visitInputs(_ visitor: inout Visitor) {}
}

/// Nodes, in raw memory that is used again. They are kept alive by what they are in the list for: a
/// node that is connected goes only with an operation of its component.
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

  @inline(__always)
  func node(at index: Int) -> Unmanaged<GraphNode> { nodes.unsafelyUnwrapped[index] }

  mutating func removeAll() { count = 0 }

  mutating func popLast() -> GraphNode? {
    if count == 0 { return nil }
    count &-= 1
    return nodes.unsafelyUnwrapped[count].takeUnretainedValue()
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
