/// Work inside a component that needs more than an operation and a value. It may concern several
/// nodes of one component. On the way to the root it passes the gate of each component below that
/// is not drained, as another thread may be inside. See Component.
class PropagationTask: Object {
  final let nodes: [GraphNode]

  init(_ nodes: [GraphNode]) { self.nodes = nodes }

  final func start() { goal.submitRarely(.fire, self) }

  /// The component to go on to, from one that has a parent.
  func next(after component: Component) -> Component { goal }

  /// The first component on the way of a node that has a parent and is not drained; else the root.
  private final var goal: Component {
    nodes.withUnsafeBufferPointer {
      var component = $0[0].home
      for index in Places($0.count) {
        component = $0[index].home
        while let parent = component.parent {
          if !component.isDrained { return component }
          component = parent
        }
      }
      return component
    }
  }

  /// Called in the component that counts. Mostly it begins a propagation of the task's own, which
  /// calls the functions below.
  func perform(in propagation: Propagation) { propagation.take(self) }

  /// Prepares the nodes that the propagation then computes.
  func begin(in propagation: Propagation) {}
  func publish(in propagation: Propagation) { propagation.publish() }
  /// Called after the nodes' values are delivered.
  func deliver(in propagation: Propagation) {}
}
