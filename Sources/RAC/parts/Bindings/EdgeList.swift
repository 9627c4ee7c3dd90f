import CRACShims

/// An edge of the graph: the node whose input a value is, and the number of that input.
struct Edge {
  /// Not kept: it keeps the node that the edge begins at, and takes the edge away before it goes.
  var target: Unmanaged<GraphNode>?
  var position: Int32
}

/// The edges that begin at a node, in the order they came. Used inside the component
/// only.
///
/// Each is known to its target by its place, so that taking one away costs the same among two and
/// among a million. That leaves a hole; holes are closed up when they outnumber the others.
struct EdgeList {
  private var edges: UnsafeMutablePointer<Edge>?
  private var capacity: Int32 = 0
  /// Places in use, holes included.
  private var used: Int32 = 0
  private var count: Int32 = 0

  @inline(__always)
  func forEach(_ body: (Unmanaged<GraphNode>, Int) -> Void) {
    guard let edges else { return }
    var edge = edges
    let end = edges + Int(used)
    while edge < end {
      if let target = edge.pointee.target { body(target, Int(edge.pointee.position)) }
      edge += 1
    }
  }

  var isEmpty: Bool { count == 0 }

  /// The edge, where there is one and no hole.
  var only: Edge? {
    @inline(__always) get { used == 1 ? edges.unsafelyUnwrapped.pointee : nil }
  }

  /// The place of the new edge; nil: there is no memory for it.
  mutating func append(_ target: GraphNode, _ position: Int) -> Int32? {
    guard used < capacity || grow() else { return nil }
    edges.unsafelyUnwrapped[Int(used)] = Edge(
      target: .passUnretained(target), position: Int32(truncatingIfNeeded: position))
    used &+= 1
    count &+= 1
    return used &- 1
  }

  mutating func remove(_ place: Int32) {
    let edges = edges.unsafelyUnwrapped
    edges[Int(place)].target = nil
    count &-= 1
    while used > 0, edges[Int(used &- 1)].target == nil { used &-= 1 }
    if used > 16, count < used / 2 { compact() }
  }

  func deallocate() { rac_shim_free(edges) }

  private mutating func grow() -> Bool {
    let larger = capacity == 0 ? 2 : capacity &* 2
    let stride = MemoryLayout<Edge>.stride
    guard
      let moved = rac_shim_enlarge_checked(edges, Int(capacity) &* stride, Int(larger) &* stride)
    else { return false }
    edges = moved.assumingMemoryBound(to: Edge.self)
    capacity = larger
    return true
  }

  private mutating func compact() {
    let edges = edges.unsafelyUnwrapped
    var to: Int32 = 0
    var from: Int32 = 0
    while from < used {
      let edge = edges[Int(from)]
      if let target = edge.target {
        edges[Int(to)] = edge
        target._withUnsafeGuaranteedRef { $0.edgeMoved(Int(edge.position), to: to) }
        to &+= 1
      }
      from &+= 1
    }
    used = to
  }
}
