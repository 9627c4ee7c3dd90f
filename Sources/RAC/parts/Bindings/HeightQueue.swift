import CRACShims

/// The nodes that a propagation has yet to compute, as a bucket queue: the lowest first, and among
/// those of one height the first that came. A node joins only while lower ones are computed, so
/// none is computed before its inputs.
///
/// A node that is alone needs no lists, so a long row of nodes costs what it is.
struct HeightQueue {
  private var sole: Unmanaged<GraphNode>?
  /// How many are in the lists.
  private var listed = 0
  /// For each height the first and the last node.
  private var lists: UnsafeMutablePointer<List>?
  private var heights = 0
  /// No list below has a node.
  private var lowest = 0

  private typealias List = (first: Unmanaged<GraphNode>?, last: Unmanaged<GraphNode>?)

  @inline(__always)
  mutating func append(_ node: GraphNode) {
    if sole == nil && listed == 0 {
      sole = .passUnretained(node)
    } else {
      appendToList(node)
    }
  }

  @inline(__always)
  mutating func popFirst() -> Unmanaged<GraphNode>? {
    if let node = sole {
      sole = nil
      return node
    }
    return listed == 0 ? nil : popFromList()
  }

  /// The one that was alone comes first: it was there before, and is in the way of no lower one
  /// only if it stands in line with the others.
  @inline(never)
  private mutating func appendToList(_ node: GraphNode) {
    if let sole = sole.take() { insert(sole) }
    insert(.passUnretained(node))
  }

  private mutating func insert(_ node: Unmanaged<GraphNode>) {
    let height = Int(node._withUnsafeGuaranteedRef { $0.height })
    if height >= heights { grow(to: height &+ 1) }
    let list = lists.unsafelyUnwrapped + height
    if let last = list.pointee.last {
      last._withUnsafeGuaranteedRef { $0.following = node }
    } else {
      list.pointee.first = node
    }
    list.pointee.last = node
    if listed == 0 || height < lowest { lowest = height }
    listed &+= 1
  }

  private mutating func popFromList() -> Unmanaged<GraphNode> {
    var list = lists.unsafelyUnwrapped + lowest
    while list.pointee.first == nil {
      list += 1
      lowest &+= 1
    }
    let node = list.pointee.first.unsafelyUnwrapped
    node._withUnsafeGuaranteedRef {
      list.pointee.first = $0.following
      $0.following = nil
    }
    if list.pointee.first == nil { list.pointee.last = nil }
    listed &-= 1
    return node
  }

  private mutating func grow(to least: Int) {
    let before = heights
    heights = max(least, before &* 2, 64)
    let stride = MemoryLayout<List>.stride
    lists = rac_shim_enlarge(lists, before &* stride, heights &* stride)
      .unsafelyUnwrapped.assumingMemoryBound(to: List.self)
    (lists.unsafelyUnwrapped + before).initialize(repeating: (nil, nil), count: heights &- before)
  }

  func deallocate() { rac_shim_free(lists) }
}
