import CRACShims
import Synchronization

/// A source of the graph of derived properties: a property that is set, as the graph sees it.
///
/// The property changes at once, behind its own gate; the graph changes in a propagation, which may
/// be another thread's. So the graph has a value of its own of each such property, and everything
/// that is computed in one propagation sees that one. There is one root node while something is
/// derived from the property.
final class RootNode: GraphNode {
  private let root: MutablePropertyCore

  // Owned by the thread inside the root's gate, or by the batch that has the root.

  /// The version of the root that the node was told of last.
  var known: UInt64
  /// Where values go. They stay in order as long as all go the same way; a shorter one, past
  /// components that have a parent, is taken only when none is under way.
  private(set) var route: Component
  /// How many were left to others.
  private let underWay = Atomic<Int>(0)
  /// A value that waits for the component's turn; a later one takes its place. Under the lock of
  /// components.
  private var waiting: Value?

  /// Inputs of nodes that are this one, or are going to be. Guarded by the lock of components.
  fileprivate var users = 0

  /// Takes the value over.
  fileprivate init(_ root: MutablePropertyCore, _ initial: Value, version: UInt64, home: Component)
  {
    self.root = root
    known = version
    route = home
    super.init(initial, isDistinct: false, height: 0, home: home)
  }

  override var owner: PropertyCore { root }

  // MARK: Values, by the root's owner

  /// The root has a new value. True when another thread has to go on with it.
  @inline(__always)
  func feed(_ value: Value, _ version: UInt64, _ thread: Thread) -> Bool {
    known = version
    let route = Unmanaged.passUnretained(unsafeDowncast(route, to: Propagation.self))
    let isThrough = route._withUnsafeGuaranteedRef { $0.takeAtOnce(value, by: self, thread) }
    return isThrough ? false : feedSlowly(value)
  }

  @inline(never)
  private func feedSlowly(_ value: Value) -> Bool {
    if rac_recording_is_on() { root.recordChange() }
    let route = unsafeDowncast(route, to: Propagation.self)
    var spent: Value? = value.retained()
    let isNew = Component.locked {
      swap(&spent, &waiting)
      if spent != nil { return false }
      underWay.wrappingAdd(1, ordering: .relaxed)
      rac_shim_count_queued(1)
      route.putInLine(waiting: self)
      return true
    }
    spent?.release()
    if isNew { _ = route.gate.knock(route) }
    if underWay.load(ordering: .acquiring) > 0 { return true }
    self.route = route.live
    return false
  }

  override func takeWaiting() -> Value {
    rac_shim_count_queued(-1)
    return waiting.take() ?? .null
  }

  override func hasTakenTurn() { underWay.wrappingSubtract(1, ordering: .releasing) }

  /// A batch has passed all gates on the way with the latest value.
  func shorten(to component: Component) { route = component }

  /// The root has ended. After its last value, so the same way.
  func end() { route.submitRarely(.completed, self) }

  // MARK: Users

  override func lostDependent() {
    let wasLast = Component.locked {
      users &-= 1
      if users > 0 { return false }
      root.rootNode = nil
      root.push(.remove, self)
      return true
    }
    // Nothing depends on it any more: the root need not tell it.
    if wasLast { root.knock() }
  }

  override func visitLasting(_ visitor: inout Visitor) { visitor.reference(root) }
}

/// The part of a property in what is derived from it: its root node, and feeding that.
extension MutablePropertyCore {
  /// Puts something into the gate's queue, under the lock of components: so what is put there by
  /// one thread in several properties is there before what another one puts there afterwards.
  /// `knock` follows.
  final func push(_ operation: Operation, _ object: Object) {
    gate.push(operation, object, .null)
  }

  /// Has the gate's queue looked at: by the thread inside, or else by this one.
  final func knock() { _ = gate.knock(self) }

  /// Where what is derived from the property lives. A batch that is about to change the property
  /// changes that itself. Under the lock.
  final var componentOfRoot: Component? { (rootNode?.home ?? holder?.home)?.root }

  /// Its node, used once more. Under the lock; `knock` follows.
  final func useRootNode(in home: Component) -> RootNode {
    let known = rootNode
    // In the component of the batch itself, where nothing is connected to it before that has
    // passed.
    let node = known ?? makeRootNode(holder?.home ?? home)
    node.users &+= 1
    // An adapter's user may have written a new value behind the node's back.
    if known == nil || isKeptByUser { push(.add, node) }
    return node
  }

  private final func makeRootNode(_ home: Component) -> RootNode {
    let (value, version) = latest.readWithVersion()
    let node = RootNode(self, value, version: version, home: home)
    rootNode = node
    return node
  }

  /// The node is to be told of the values, as a subscriber is. Inside the gate.
  final func feed(_ rootNode: RootNode) {
    if fedNode !== rootNode {
      if hasEnded { return rootNode.end() }
      fedNode = rootNode
      traits.insert(.feeding)
    }
    if traits.contains(.adapted), let now = read() {
      if now.isSame(as: current) {
        now.release()
      } else {
        SeqlockValue.retire(publish(now))
      }
    }
    if rootNode.known != latest.version { _ = feed(current, currentThread()) }
  }

  /// Passes a change to the derived properties. True when another thread has to go on with it.
  @inline(__always)
  final func feed(_ fresh: Value, _ thread: Thread) -> Bool {
    let node = Unmanaged.passUnretained(fedNode.unsafelyUnwrapped)
    return node._withUnsafeGuaranteedRef { $0.feed(fresh, latest.version, thread) }
  }

  /// Nothing is derived from the property by this node any more.
  final func stopFeeding(_ rootNode: RootNode) {
    guard fedNode === rootNode else { return }
    fedNode = nil
    traits.remove(.feeding)
  }
}
