import CRACShims

/// Values that wait their turn, the first in, the first out: a ring that grows. Owns them.
struct ValueLine {
  private var ring: UnsafeMutablePointer<Value>?
  /// A power of two, less one.
  private var mask = -1
  private var head = 0
  private(set) var count = 0

  /// Takes the value over.
  @inline(__always)
  mutating func append(_ value: Value) {
    if count == mask &+ 1 { grow() }
    ring.unsafelyUnwrapped[(head &+ count) & mask] = value
    count &+= 1
  }

  /// The first one, for the caller to release; nil when there is none.
  @inline(__always)
  mutating func popFirst() -> Value? {
    guard count > 0, let ring else { return nil }
    let value = ring[head]
    head = (head &+ 1) & mask
    count &-= 1
    return value
  }

  /// The last one, for the caller to release; nil when there is none.
  mutating func popLast() -> Value? {
    guard count > 0, let ring else { return nil }
    count &-= 1
    return ring[(head &+ count) & mask]
  }

  @inline(never)
  private mutating func grow() {
    let old = mask &+ 1
    let size = old == 0 ? 8 : old &* 2
    let bytes = size &* MemoryLayout<Value>.stride
    let fresh = rac_shim_allocate(bytes).unsafelyUnwrapped.assumingMemoryBound(to: Value.self)
    var index = 0
    while index < count {
      fresh[index] = ring.unsafelyUnwrapped[(head &+ index) & mask]
      index &+= 1
    }
    rac_shim_free(ring)
    ring = fresh
    head = 0
    mask = size &- 1
  }

  mutating func deallocate() {
    while let value = popFirst() { value.release() }
    rac_shim_free(ring)
    ring = nil
    mask = -1
  }
}
