import CRACShims

/// Things without references, oldest first, in memory that grows by doubling, and that may not be
/// there.
struct Ring<Element: BitwiseCopyable>: ~Copyable {
  private var block: UnsafeMutablePointer<Element>?
  /// A power of two, less one.
  private var mask = -1
  private var head = 0
  private(set) var count = 0

  deinit { rac_shim_free(block) }

  /// By its place from the oldest on, which must be there.
  subscript(place: Int) -> Element {
    @inline(__always) get { block.unsafelyUnwrapped[(head &+ place) & mask] }
    @inline(__always) nonmutating set { block.unsafelyUnwrapped[(head &+ place) & mask] = newValue }
  }

  /// False: there is no memory for another one.
  @inline(__always)
  mutating func makeRoom() -> Bool { count <= mask || grow() }

  /// False: there is no memory.
  @inline(__always)
  mutating func append(_ element: Element) -> Bool {
    if !makeRoom() { return false }
    self[count] = element
    count &+= 1
    return true
  }

  mutating func dropOldest() {
    head = (head &+ 1) & mask
    count &-= 1
  }

  /// There must be one.
  mutating func popLatest() -> Element {
    count &-= 1
    return self[count]
  }

  @inline(never)
  private mutating func grow() -> Bool {
    let old = mask &+ 1
    let size = old == 0 ? 8 : old &* 2
    guard let memory = rac_shim_allocate_checked(size &* MemoryLayout<Element>.stride) else {
      return false
    }
    let fresh = memory.assumingMemoryBound(to: Element.self)
    for index in Places(count) {
      fresh[index] = self[index]
    }
    rac_shim_free(block)
    block = fresh
    head = 0
    mask = size &- 1
    return true
  }
}
