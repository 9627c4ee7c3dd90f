import CRACShims

/// Values that wait their turn, the first in, the first out: a ring that grows. Owns them.
struct ValueLine: ~Copyable {
  private var ring = Ring<Value>()
  var count: Int { ring.count }

  /// Asked before `append` by a caller that can report the lack. False: there is no memory for
  /// another one.
  mutating func makeRoom() -> Bool { ring.makeRoom() }

  /// Takes the value over.
  @inline(__always)
  mutating func append(_ value: Value) {
    if !ring.append(value) { rac_shim_fatal("out of memory") }
  }

  /// The first one, for the caller to release; nil when there is none.
  @inline(__always)
  mutating func popFirst() -> Value? {
    guard count > 0 else { return nil }
    let value = ring[0]
    ring.dropOldest()
    return value
  }

  /// The last one, for the caller to release; nil when there is none.
  mutating func popLast() -> Value? { count > 0 ? ring.popLatest() : nil }

  /// The value at a place counted from the first one, lent.
  subscript(index: Int) -> Value { ring[index] }

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

  deinit { releaseAll() }

  @inline(never)
  private func releaseAll() {
    for index in Places(count) { self[index].release() }
  }
}
