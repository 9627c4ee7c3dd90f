import CRACShims

/// The inputs of a node: their latest values in a row, as the callback gets them, and the nodes.
/// The values are those of the nodes, which keep them until they have written the next one here.
struct NodeInputs {
  let values: UnsafeMutablePointer<Value>
  /// The place of each edge in its list.
  let places: UnsafeMutablePointer<Int32>
  /// Of a draft: the versions of the values that its own was made of.
  let versions: UnsafeMutablePointer<UInt64>
  static let unknown: UInt64 = .max
  /// Of an edge for which there was no memory.
  static let nowhere: Int32 = -1
  private let nodes: UnsafeMutablePointer<Unmanaged<GraphNode>>
  private(set) var count: Int
  private let block: UnsafeMutableRawPointer

  /// nil: there is not enough memory.
  init?(_ inputs: [GraphNode]) {
    let size = MemoryLayout<Value>.stride &+ MemoryLayout<Unmanaged<GraphNode>>.stride &+ 12
    guard let block = rac_shim_allocate_checked(max(inputs.count, 1) &* size) else { return nil }
    count = inputs.count
    self.block = block
    values = block.assumingMemoryBound(to: Value.self)
    let nodes = (block + count &* MemoryLayout<Value>.stride)
      .assumingMemoryBound(to: Unmanaged<GraphNode>.self)
    self.nodes = nodes
    versions = UnsafeMutableRawPointer(nodes + count).assumingMemoryBound(to: UInt64.self)
    places = UnsafeMutableRawPointer(versions + count).assumingMemoryBound(to: Int32.self)
    var index = 0
    while index < count {
      values[index] = .null
      versions[index] = NodeInputs.unknown
      nodes[index] = .passRetained(inputs[index])
      index &+= 1
    }
  }

  @inline(__always)
  func forEach(_ body: (GraphNode, Int) -> Void) {
    var index = 0
    while index < count {
      nodes[index]._withUnsafeGuaranteedRef { body($0, index) }
      index &+= 1
    }
  }

  func visit(_ visitor: inout Visitor) {
    var index = 0
    while index < count {
      visitor.reference(nodes[index].toOpaque())
      index &+= 1
    }
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
      let input = nodes[index]
      input._withUnsafeGuaranteedRef { $0.lostDependent() }
      input.drop()
      index &+= 1
    }
  }

  mutating func deallocate() {
    letGo()
    rac_shim_free(block)
  }
}
