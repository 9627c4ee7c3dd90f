import CRACShims

/// Values that wait their turn, the first in, the first out: a ring that grows. Owns them.
struct ValueLine {
  private var ring: UnsafeMutablePointer<Value>?
  /// A power of two, less one.
  private var mask = -1
  private var head = 0
  private(set) var count = 0

  /// Asked before `append` by a caller that can report the lack. False: there is no memory for
  /// another one.
  mutating func makeRoom() -> Bool { makeRoom(for: 1) }

  /// For so many.
  mutating func makeRoom(for more: Int) -> Bool {
    while count &+ more > mask &+ 1 {
      if !grow() { return false }
    }
    return true
  }

  /// Takes the value over.
  @inline(__always)
  mutating func append(_ value: Value) {
    if count == mask &+ 1 && !grow() { rac_shim_fatal("out of memory") }
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

  /// The value at a place counted from the first one, lent.
  subscript(index: Int) -> Value { ring.unsafelyUnwrapped[(head &+ index) & mask] }

  mutating func dropFirst(_ many: Int) {
    var left = many
    while left > 0, let value = popFirst() {
      value.release()
      left &-= 1
    }
  }

  /// A tuple of all of them, which stay in the line; nil when there is no memory for it.
  func copyOfTuple() -> Value? { .tuple(count) { self[$0].retained() } }

  /// A tuple of all of them, which are then not in the line any more; nil when there is no memory
  /// for it.
  mutating func takeTuple() -> Value? { .tuple(count) { _ in popFirst() ?? .null } }

  @inline(never)
  private mutating func grow() -> Bool {
    let old = mask &+ 1
    let size = old == 0 ? 8 : old &* 2
    let bytes = size &* MemoryLayout<Value>.stride
    guard let block = rac_shim_allocate_checked(bytes) else { return false }
    let fresh = block.assumingMemoryBound(to: Value.self)
    var index = 0
    while index < count {
      fresh[index] = ring.unsafelyUnwrapped[(head &+ index) & mask]
      index &+= 1
    }
    rac_shim_free(ring)
    ring = fresh
    head = 0
    mask = size &- 1
    return true
  }

  mutating func deallocate() {
    while let value = popFirst() { value.release() }
    rac_shim_free(ring)
    ring = nil
    mask = -1
  }
}
