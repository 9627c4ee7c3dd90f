import CRACShims

extension PropertyCore {
  /// A property, read-only, whose value a callback makes of the values of others.
  ///
  /// ```
  /// a       1-----2------|
  /// b       x--------y---|
  /// derived 1x----2x-2y--|
  /// ```
  /// The callback runs once now and then once for each propagation in which a value that it is made
  /// of changes, however many subscribe, and also when none does: see Propagation. nil, with the
  /// status of the callback, when it fails now; if it fails later, subscribers get the error and
  /// the value stays as it is. C: rac_property_map, rac_property_combine_latest. RAC: RAC(self, x)
  /// = [RACSignal combineLatest:reduce:]
  static func derived(
    _ sources: [PropertyCore], isDistinct: Bool, _ context: Context, _ derivation: Derivation,
    _ status: inout rac_status
  ) -> PropertyCore? {
    for source in sources where source.isKeptByUser {
      guard let value = source.read() else {
        status = Status.user
        return nil
      }
      value.release()
    }
    let (nodes, home) = join(sources)
    guard let inputs = NodeInputs(nodes) else {
      for node in nodes { node.lostDependent() }
      status = Status.noMemory
      return nil
    }
    let node = DerivedNode(inputs, isDistinct: isDistinct, context, derivation, home: home)
    status = node.makeFirst(nodes)
    if status < 0 { return nil }
    Connecting(node, nodes).start()
    return node
  }

  /// The nodes of properties that something is to be derived from, each used once more, all in one
  /// component, and that.
  private static func join(_ sources: [PropertyCore]) -> ([GraphNode], Component) {
    var nodes = [GraphNode](withRoomFor: sources.count)
    let home: Component = Component.locked {
      var found: Component?
      for source in sources {
        if let component = source.componentOfNode { found = .union(found, component) }
      }
      let home = found ?? Propagation()
      for source in sources {
        nodes.append((source as? GraphNode) ?? source.mutable.useRootNode(in: home))
      }
      return home
    }
    for source in sources where !(source is GraphNode) { source.mutable.knock() }
    return (nodes, home)
  }

  /// The component that its node is in, if there is one. Under the lock of components.
  private var componentOfNode: Component? {
    (self as? GraphNode).map { $0.home.root } ?? mutable.componentOfRoot
  }

  /// Of a property that is none of the graph's own nodes.
  private var mutable: MutablePropertyCore { unsafeDowncast(self, to: MutablePropertyCore.self) }
}
