import CRACShims

/// The nodes that a turn has yet to compute, the lowest first, and among those of one height the
/// first that came. A node joins only while lower ones are computed, so none is computed before its
/// inputs.
///
/// A node that is alone needs neither the lists nor the map: so a long row of nodes costs what it
/// is.
struct HeightQueue {
  private var sole: Unmanaged<GraphNode>?
  /// How many are in the lists.
  private var listed = 0
  private var lists: UnsafeMutablePointer<List>?
  /// A bit for each list that is not empty.
  private var map: UnsafeMutablePointer<UInt64>?
  private var heights = 0
  /// No list below has a node.
  private var lowest = 0

  private struct List {
    var first: Unmanaged<GraphNode>?
    var last: Unmanaged<GraphNode>?
  }

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
    if let sole {
      self.sole = nil
      insert(sole)
    }
    insert(.passUnretained(node))
  }

  private mutating func insert(_ node: Unmanaged<GraphNode>) {
    let height = node._withUnsafeGuaranteedRef { Int($0.height) }
    if height >= heights { grow(to: height &+ 1) }
    let list = lists.unsafelyUnwrapped + height
    if let last = list.pointee.last {
      last._withUnsafeGuaranteedRef { $0.following = node }
    } else {
      list.pointee.first = node
      map.unsafelyUnwrapped[height >> 6] |= 1 << UInt64(height & 63)
    }
    list.pointee.last = node
    if listed == 0 || height < lowest { lowest = height }
    listed &+= 1
  }

  private mutating func popFromList() -> Unmanaged<GraphNode> {
    let map = map.unsafelyUnwrapped
    var word = lowest >> 6
    while map[word] == 0 { word &+= 1 }
    let height = word << 6 | map[word].trailingZeroBitCount
    lowest = height
    let list = lists.unsafelyUnwrapped + height
    let node = list.pointee.first.unsafelyUnwrapped
    node._withUnsafeGuaranteedRef {
      list.pointee.first = $0.following
      $0.following = nil
    }
    if list.pointee.first == nil {
      list.pointee.last = nil
      map[word] &= map[word] &- 1
    }
    listed &-= 1
    return node
  }

  private mutating func grow(to least: Int) {
    let before = heights
    heights = max(least, before &* 2, 64)
    heights = (heights &+ 63) & ~63
    let stride = MemoryLayout<List>.stride
    lists = rac_shim_enlarge(lists, before &* stride, heights &* stride)
      .unsafelyUnwrapped.assumingMemoryBound(to: List.self)
    map = rac_shim_enlarge(map, before >> 3, heights >> 3)
      .unsafelyUnwrapped.assumingMemoryBound(to: UInt64.self)
    var index = before
    while index < heights {
      lists.unsafelyUnwrapped[index] = List()
      index &+= 1
    }
    index = before >> 6
    while index < heights >> 6 {
      map.unsafelyUnwrapped[index] = 0
      index &+= 1
    }
  }

  func deallocate() {
    rac_shim_free(lists)
    rac_shim_free(map)
  }
}
