import CRACShims

/// The inputs of a node: their latest values in a row, as the callback gets them, and the nodes.
/// The values are those of the nodes, which keep them until they have written the next one here.
struct NodeInputs {
  let values: UnsafeMutablePointer<Value>
  /// In the same block, behind the values.
  let edges: UnsafeMutablePointer<Edge>
  private(set) var count: Int

  struct Edge {
    let node: Unmanaged<GraphNode>
    /// Of a draft: the version of the value that its own was made of.
    var version = NodeInputs.unknown
    /// In the list of the node's edges.
    var place = NodeInputs.nowhere
  }
  static let unknown: UInt64 = .max
  /// There was no memory for the edge.
  static let nowhere: Int32 = -1

  /// nil: there is not enough memory.
  init?(_ inputs: [GraphNode]) {
    let size = MemoryLayout<Value>.stride &+ MemoryLayout<Edge>.stride
    guard let block = rac_shim_allocate_checked(max(inputs.count, 1) &* size) else { return nil }
    count = inputs.count
    values = block.assumingMemoryBound(to: Value.self)
    edges = UnsafeMutableRawPointer(values + count).assumingMemoryBound(to: Edge.self)
    for index in Places(count) {
      values[index] = .null
      edges[index] = Edge(node: .passRetained(inputs[index]))
    }
  }

  @inline(__always)
  func forEach(_ body: (GraphNode, Int) -> Void) {
    for index in Places(count) { edges[index].node._withUnsafeGuaranteedRef { body($0, index) } }
  }

  func visit(_ visitor: inout Visitor) {
    for index in Places(count) { visitor.reference(edges[index].node.toOpaque()) }
  }

  /// Gives the nodes back, and what was made for them.
  mutating func letGo() {
    // Under the lock: the thread of a batch may be looking.
    let released = Component.locked {
      let all = count
      count = 0
      return all
    }
    var index = 0
    while index < released {
      let input = edges[index].node
      input._withUnsafeGuaranteedRef { $0.lostDependent() }
      input.drop()
      index &+= 1
    }
  }

  mutating func deallocate() {
    letGo()
    rac_shim_free(values)
  }
}
