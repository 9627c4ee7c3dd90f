/// Something to be done inside a component that is more than an operation and a value. It may
/// concern several nodes of one component, and passes the gates of those further down where another
/// thread may be at one of them. See Component.
class PropagationTask: Object {
  final let nodes: [GraphNode]

  init(_ nodes: [GraphNode]) { self.nodes = nodes }

  final func start() { goal.submitRarely(.fire, self) }

  /// Where to go on from a component that has a parent.
  func next(after component: Component) -> Component { goal }

  /// The first component on the way of a node that has a parent and is not drained; else the root.
  private final var goal: Component {
    nodes.withUnsafeBufferPointer {
      var component = $0[0].home
      var index = 0
      while index < $0.count {
        component = $0[index].home
        index &+= 1
        while let parent = component.parent {
          if !component.isDrained { return component }
          component = parent
        }
      }
      return component
    }
  }

  /// In the component that counts. Mostly that is a propagation of the task's own, which calls what
  /// follows.
  func perform(in propagation: Propagation) { propagation.take(self) }

  /// Has nodes computed.
  func begin(in propagation: Propagation) {}
  func publish(in propagation: Propagation) { propagation.publish() }
  /// After the nodes' values.
  func deliver(in propagation: Propagation) {}
}
