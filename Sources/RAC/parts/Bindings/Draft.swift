import CRACShims
import Synchronization

/// A derived property that has its first value, but no place in the graph yet: another thread may
/// be inside the component, or this one further up. Until then it is a draft.
///
/// No propagation brings the value of a draft up to date. That harms no reader of that value alone.
/// But another property derived from it, and from others that have moved on, would put together
/// what does not belong together. So its callback runs again for each property that is derived from
/// it meanwhile, on values of one time: see Evaluation. Thus deriving waits for no other thread.
///
/// A connection waits for those of the drafts that it is made of, in their lists, under the lock of
/// components.
extension DerivedNode {
  /// Makes the first value, of inputs of one time. The answer is the callback's.
  func makeFirst(_ nodes: [GraphNode]) -> rac_status {
    guard let evaluation = Evaluation(of: nodes) else { return Status.noMemory }
    inputs.forEach { input, index in
      (inputs.values[index], inputs.edges[index].version) = evaluation.result(of: input, index)
    }
    var made = Value.null
    let status = runOutside(inputs.values, inputs.count, &made)
    if status >= 0 { SeqlockValue.retire(publish(made)) }
    // The callback is lent its values.
    withExtendedLifetime(evaluation) {}
    return status
  }

  // MARK: Connecting, inside the component

  /// Whether the node may be connected now, after those that it is made of; else the task is
  /// started again when it may.
  func admits(_ connection: PropagationTask) -> Bool {
    Component.locked {
      var obstacle: DerivedNode?
      inputs.forEach { input, _ in
        if !input.isSettled { obstacle = unsafeDowncast(input, to: DerivedNode.self) }
      }
      obstacle?.waiting.append(connection)
      return obstacle == nil
    }
  }

  /// Whether the inputs still have the values that its own was made of.
  var isUpToDate: Bool {
    var isSame = true
    inputs.forEach { input, index in
      let given = inputs.values[index]
      // A counted value may be gone, and another one in its place.
      let isThatOne = !given.isCounted && given.isIdentical(to: input.current)
      if !isThatOne && input.latest.version != inputs.edges[index].version { isSame = false }
    }
    return isSame
  }

  /// The node has its place, or has ended. Connections that wait for it go on.
  func settle() {
    let woken = Component.locked {
      settled.store(true, ordering: .releasing)
      let all = waiting
      waiting = []
      return all
    }
    woken.each { $0.start() }
  }
}

/// A new node takes its place in the graph.
final class Connecting: PropagationTask {
  private let node: DerivedNode
  @exclusivity(unchecked) private var isAdmitted = false

  init(_ node: DerivedNode, _ inputs: [GraphNode]) {
    self.node = node
    super.init(inputs)
  }

  override func begin(in propagation: Propagation) {
    isAdmitted = node.admits(self)
    // It may have been released before its turn came.
    if !isAdmitted || node.hasEnded { return }
    let isUpToDate = node.isUpToDate
    if !node.connect() {
      propagation.doom(node)
    } else if !isUpToDate {
      propagation.putInLine(node)
    }
  }

  override func publish(in propagation: Propagation) {
    propagation.publish()
    if isAdmitted { node.settle() }
  }
}
