import CRACShims
import Synchronization

/// How a change goes through a component of the graph: glitch-free, in the order of heights, as in
/// FrTime (Cooper and Krishnamurthi, 2006). All nodes that are connected have one gate.
///
/// A new value goes through in three steps.
///
/// - *Compute*: from the root node along the edges, the lowest node first. A node has all its new
///   inputs before it is computed, and is computed once. Behind a node that does not change nothing
///   is computed. No thread outside sees any of it.
/// - *Publish*: all new values at once, with no callback in between. The epoch is odd meanwhile, so
///   a reader of several values can tell whether they belong together: see Snapshot.
/// - *Deliver*: to the subscribers, in the order in which values were computed; then ends; then
///   subscribers that came meanwhile take their places.
///
/// Hence no callback sees two values of one property, and one set runs each callback at most once:
/// in one propagation one property moves, or those that one batch sets, and a node is computed
/// after everything below it. Propagations of one component follow each other, as operations of a
/// gate do: one that is begun inside another, on this thread or on another, waits in the gate's
/// queue.
final class Propagation: Component {
  @exclusivity(unchecked) private var line = HeightQueue()
  /// The nodes that have a new value, in the order in which they were computed.
  @exclusivity(unchecked) private var changed = NodeList()
  /// Whether a value before has to be retired.
  @exclusivity(unchecked) private var hasRetired = false
  /// Those that end with this propagation.
  @exclusivity(unchecked) private var doomed = NodeList()
  /// Root nodes whose values wait for the next turn. Under the lock of components.
  private var waiting: [GraphNode] = []

  deinit {
    line.deallocate()
    changed.deallocate()
    doomed.deallocate()
  }

  // MARK: Inside the gate

  override func apply(_ operation: Operation, _ object: Object?, _ value: Value) {
    guard let object else { return takeWaiting() }
    if let parent {
      drain()
      // From inside: operations that come to this component later are handed on later.
      let next =
        operation == .fire
        ? unsafeDowncast(object, to: PropagationTask.self).next(after: self) : parent
      next.submitRarely(operation, object, value)
      return
    }
    switch operation {
    case .completed: end(unsafeDowncast(object, to: GraphNode.self))
    case .close:
      let node = unsafeDowncast(object, to: GraphNode.self)
      end(node)
      node.isForgotten.store(true, ordering: .relaxed)
      node.forget()
    case .add:
      enter(currentThread())
      let sink = unsafeDowncast(object, to: Sink.self)
      Propagation.node(of: sink)?.join(sink)
      finish()
    case .remove:
      let sink = unsafeDowncast(object, to: Sink.self)
      Propagation.node(of: sink)?.leave(sink)
    case .fire: unsafeDowncast(object, to: PropagationTask.self).perform(in: self)
    case .next, .error, .resume: break
    }
  }

  private static func node(of sink: Sink) -> GraphNode? { sink.feeder as? GraphNode }

  /// The node has a value that waits: an operation without an object stands in the queue for all
  /// such nodes. Under the lock of components; `knock` follows.
  func putInLine(waiting node: GraphNode) {
    if waiting.isEmpty { gate.push(.fire, nil, .null) }
    waiting.append(node)
  }

  /// Their turn has come: they have it together, so that no value is seen without those that were
  /// set before it. Where there is a parent they wait there.
  private func takeWaiting() {
    let parent = parent.map { unsafeDowncast($0, to: Propagation.self) }
    if parent != nil { drain() }
    let nodes = Component.locked {
      let all = waiting
      waiting = []
      all.each {
        if let parent { parent.putInLine(waiting: $0) } else { $0.fresh = $0.takeWaiting() }
      }
      return all
    }
    if let parent { return _ = parent.gate.knock(parent) }
    if Process.isClosed { nodes.each { $0.fresh.release() } } else { takeTurn(nodes) }
    nodes.each { $0.hasTakenTurn() }
  }

  private func takeTurn(_ rootNodes: [GraphNode]) {
    if rootNodes.isEmpty { return }
    enter(currentThread())
    rootNodes.each { change($0) }
    computeRarely()
    publish()
    if rac_recording_is_on() { recordDerived() }
    if changed.count > rootNodes.count { deliver(carefully: true) }
    finish()
  }

  /// A root node has a new value, which is lent. False: another thread is inside, or the node is to
  /// be found further up.
  @inline(never)
  func takeAtOnce(_ value: Value, by rootNode: GraphNode, _ thread: Thread) -> Bool {
    guard let hold = gate.enter() else { return false }
    let isHere = !isUnited && !(isFar && isCramped)
    if isHere {
      enter(thread)
      let fresh = value.retained()
      if let edge = rootNode.edges.only {
        take(fresh, by: rootNode, edge)
      } else {
        take(fresh, by: rootNode)
      }
    }
    hold.leave(self)
    return isHere
  }

  @inline(never)
  private func take(_ fresh: Value, by rootNode: GraphNode) {
    rootNode.fresh = fresh
    change(rootNode)
    compute()
    publish()
    if rac_recording_is_on() { recordChanged() }
    // A root node has no subscribers.
    if changed.count > 1 { deliver(carefully: false) }
    finish()
  }

  /// The same where one node is derived from it, and mostly none from that: it comes into no list.
  @inline(__always)
  private func take(_ fresh: Value, by rootNode: GraphNode, _ edge: Edge) {
    let target = edge.target.unsafelyUnwrapped
    target._withUnsafeGuaranteedRef {
      if !$0.edges.isEmpty || rac_recording_is_on() { return take(fresh, by: rootNode) }
      $0.hear(fresh, Int(edge.position))
      isComputing = true
      if !unsafeDowncast($0, to: DerivedNode.self).compute() {
        return noteOnly(fresh, rootNode, $0)
      }
      let before = beginPublishing()
      let retired = (rootNode.publish(fresh), $0.publishFresh())
      endPublishing(before)
      if $0.subscribers.count > 0 { deliver($0, carefully: false) }
      if !newcomers.isEmpty { admit() }
      leave()
      SeqlockValue.retire(retired.0)
      SeqlockValue.retire(retired.1)
    }
  }

  /// The node that is derived from the root node has not changed, or it ends.
  @inline(never)
  private func noteOnly(_ fresh: Value, _ rootNode: GraphNode, _ target: GraphNode) {
    rootNode.fresh = fresh
    changed.append(rootNode)
    if target.isDoomed { doom(target) }
    publish()
    finish()
  }

  /// A propagation that begins otherwise.
  @inline(never)
  func take(_ task: PropagationTask) {
    enter(currentThread())
    isComputing = true
    task.begin(in: self)
    computeRarely()
    task.publish(in: self)
    if rac_recording_is_on() { recordDerived() }
    deliver(carefully: true)
    task.deliver(in: self)
    finish()
  }

  /// The last handle of a derived property is gone, or the property of a root node has
  /// ended.
  private func end(_ node: GraphNode) {
    if node.hasEnded { return }
    enter(currentThread())
    doom(node)
    computeRarely()
    publish()
    finish()
  }

  /// A node has a new value.
  @inline(__always)
  func change(_ node: GraphNode) {
    changed.append(node)
    let fresh = node.fresh
    node.edges.forEach { target, position in
      target._withUnsafeGuaranteedRef {
        $0.hear(fresh, position)
        putInLine($0)
      }
    }
  }

  @inline(__always)
  func putInLine(_ node: GraphNode) {
    if node.isInLine { return }
    node.isInLine = true
    line.append(node)
  }

  /// A node ends with this propagation, and all that is made of it.
  func doom(_ node: GraphNode) {
    node.isDoomed = true
    doomed.append(node)
    node.edges.forEach { target, _ in
      target._withUnsafeGuaranteedRef {
        if !$0.isDoomed {
          $0.isDoomed = true
          $0.endError = node.endError?.retained()
        }
        putInLine($0)
      }
    }
  }

  /// Where a few more bytes of code would not pay.
  @inline(never)
  private func computeRarely() { compute() }

  @inline(__always)
  private func compute() {
    isComputing = true
    while let next = line.popFirst() {
      next._withUnsafeGuaranteedRef { node in
        node.isInLine = false
        // The target of an edge.
        if !node.isDoomed && unsafeDowncast(node, to: DerivedNode.self).compute() {
          change(node)
        } else if node.isDoomed {
          doom(node)
        }
      }
    }
  }

  @inline(never)
  func publish() {
    let before = beginPublishing()
    eachChanged {
      let retired = $0.publishFresh()
      if !retired.isNone {
        $0.retired = retired
        hasRetired = true
      }
    }
    endPublishing(before)
  }

  @inline(__always)
  private func beginPublishing() -> UInt64 {
    let before = epoch.load(ordering: .relaxed)
    epoch.store(before &+ 1, ordering: .relaxed)
    return before
  }

  @inline(__always)
  private func endPublishing(_ before: UInt64) {
    epoch.store(before &+ 2, ordering: .releasing)
    isComputing = false
  }

  @inline(never)
  private func recordChanged() { eachChanged { $0.owner.recordChange() } }

  /// Root nodes stand for properties that tell themselves.
  @inline(never)
  private func recordDerived() {
    eachChanged { if $0.owner === $0 { $0.recordChange() } }
  }

  /// Looks at the list each time: that takes no registers from the body.
  @inline(__always)
  private func eachChanged(_ body: (GraphNode) -> Void) {
    var index = 0
    while index < changed.count {
      changed.node(at: index)._withUnsafeGuaranteedRef { body($0) }
      index &+= 1
    }
  }

  /// `carefully`: a subscriber may have been disposed before this propagation came.
  @inline(never)
  private func deliver(carefully: Bool) {
    eachChanged { if $0.subscribers.count > 0 { deliver($0, carefully: carefully) } }
  }

  @inline(__always)
  private func deliver(_ node: GraphNode, carefully: Bool) {
    if carefully || gate.isDisturbed {
      node.sendCarefully(node.current)
    } else if let sole = node.subscribers.sole {
      sole.function(sole.context, node.current)
    } else {
      node.subscribers.deliver(node.current, gate)
    }
  }

  /// The end of everything that is done inside.
  @inline(never)
  private func finish() {
    if doomed.count > 0 { endDoomed() }
    if !newcomers.isEmpty { admit() }
    leave()
    if hasRetired { retireAll() }
    changed.removeAll()
  }

  @inline(never)
  private func retireAll() {
    hasRetired = false
    eachChanged {
      SeqlockValue.retire($0.retired)
      $0.retired = SeqlockValue.none
    }
  }

  /// The lowest first; their inputs go in the other order, as a node may be let go of by its last
  /// input.
  @inline(never)
  private func endDoomed() {
    for index in Places(doomed.count) {
      doomed.node(at: index)._withUnsafeGuaranteedRef {
        $0.hasEnded = true
        $0.endSubscribers()
      }
    }
    while let node = doomed.popLast() { node.disconnect() }
  }

  @inline(never)
  private func admit() {
    // Some may come to sit down and find that all is over; in their callbacks others may come.
    while !newcomers.isEmpty {
      let all = newcomers
      newcomers = []
      all.each { Propagation.node(of: $0)?.seat($0) }
    }
  }
}
