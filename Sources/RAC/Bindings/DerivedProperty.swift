import CRACShims

extension PropertyCore {
  /// A property, read-only, whose value a callback makes of the values of others.
  ///
  /// ```
  /// a       1-----2------|
  /// b       x--------y---|
  /// derived 1x----2x-2y--|
  /// ```
  /// The callback runs once now and then once for each turn in which a value that it is made of
  /// changes, however many subscribe, and also when nobody does: see GraphTurn. nil, with the
  /// status of the callback, when it fails now; if it fails later, subscribers get the error and
  /// the value stays as it is. C: rac_property_map, rac_property_combine_latest. RAC: RAC(self, x)
  /// = [RACSignal combineLatest:reduce:]
  @inline(never)
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
    let (nodes, drafts, home) = Parts.join(sources)
    guard let inputs = NodeInputs(nodes) else {
      for node in nodes { node.lostDependent() }
      status = Status.noMemory
      return nil
    }
    let node = DerivedNode(inputs, isDistinct: isDistinct, context, derivation, home: home)
    status = node.makeFirst(after: drafts)
    if status < 0 { return nil }
    Connecting(node, nodes).start()
    return node
  }
}
