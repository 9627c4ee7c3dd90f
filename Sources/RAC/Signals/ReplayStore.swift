import CRACShims

/// The last values of a subject, in order. Owns them. Used under its owner's lock.
///
/// Values are kept in fixed chunks, so that a long history is never copied.
struct ReplayStore {
  private static let chunkSize = 64

  private var chunks: [UnsafeMutablePointer<Value>] = []
  /// Where the oldest value is, counted from the first chunk held.
  private var start = 0
  private(set) var count = 0
  let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  /// Takes a value over. A value that had to make room is returned for the caller to release, outside
  /// its lock.
  mutating func append(_ value: Value) -> Value? {
    guard capacity > 0 else { return value }
    var evicted: Value? = nil
    if count == capacity {
      if capacity == 1 {
        let place = self.place(0)
        let old = place.pointee
        place.pointee = value
        return old
      }
      evicted = removeFirst()
    }
    let position = start &+ count
    if position == chunks.count &* ReplayStore.chunkSize { addChunk() }
    count &+= 1
    place(count &- 1).initialize(to: value)
    return evicted
  }

  subscript(index: Int) -> Value { place(index).pointee }

  private func place(_ index: Int) -> UnsafeMutablePointer<Value> {
    let position = start &+ index
    return chunks[position / ReplayStore.chunkSize] + position % ReplayStore.chunkSize
  }

  private mutating func removeFirst() -> Value {
    let value = self[0]
    start &+= 1
    count &-= 1
    if start == ReplayStore.chunkSize {
      // The emptied chunk goes to the end: a bounded history allocates nothing once it is full.
      let chunk = chunks.removeFirst()
      chunks.append(chunk)
      start = 0
    }
    return value
  }

  private mutating func addChunk() {
    let size = ReplayStore.chunkSize &* MemoryLayout<Value>.stride
    chunks.append(
      rac_shim_allocate(size).unsafelyUnwrapped.assumingMemoryBound(to: Value.self))
  }

  func destroy() {
    var index = 0
    while index < count {
      self[index].release()
      index &+= 1
    }
    for chunk in chunks { rac_shim_free(chunk) }
  }
}
