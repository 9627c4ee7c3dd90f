import CRACShims

/// The last values of a subject, in order. Owns them. Used under its owner's lock.
///
/// Values are kept in chunks that are linked, so that a long history is never copied, and a bounded
/// one allocates nothing once it is full.
struct ReplayStore: ~Copyable {
  private(set) var count = 0
  let capacity: Int
  /// How long a value is remembered, by which clock; nil: as long as there is room.
  private let lifetime: Timing?
  /// When each of them came, where that matters.
  private var times = ValueLine()

  /// The chunk of the oldest value, and the place in it.
  private var head: Chunk?
  private var headPlace = 0
  /// The chunk of the newest value, and the place after it.
  private var tail: Chunk?
  private var tailPlace: Int
  /// An emptied chunk, kept for the next one that is needed.
  private var spare: Chunk?
  /// How many values fit in a chunk.
  private let chunkSize: Int

  init(capacity: Int, lifetime: Timing? = nil) {
    self.capacity = capacity
    self.lifetime = lifetime
    chunkSize = min(64, max(1, capacity))
    tailPlace = chunkSize
  }

  var isFull: Bool { count == capacity }

  /// Takes a value over, for which there is room.
  @inline(__always)
  mutating func append(_ value: Value) {
    if tailPlace == chunkSize { addChunk() }
    if expires { addTime() }
    tail.unsafelyUnwrapped.values[tailPlace] = value
    tailPlace &+= 1
    count &+= 1
  }

  /// The same where there is none. The value that had to make room is returned for the caller to
  /// release, outside its lock.
  @inline(__always)
  mutating func replaceOldest(_ value: Value) -> Value {
    guard capacity > 0 else { return value }
    // Not out and in again: with one value that would take the chunk away and back.
    let oldest = dropOldest()
    append(value)
    return oldest
  }

  @inline(__always)
  private mutating func dropOldest() -> Value {
    let oldest = head.unsafelyUnwrapped.values[headPlace]
    if expires { dropTime() }
    count &-= 1
    headPlace &+= 1
    if count == 0 {
      headPlace = 0
      tailPlace = 0
    } else if headPlace == chunkSize {
      dropHead()
    }
    return oldest
  }

  // Out of the way of those that remember without end.
  private mutating func addTime() {
    if let lifetime { times.append(.int64(lifetime.now)) }
  }
  private mutating func dropTime() { _ = times.popFirst() }

  /// A value that is too old, for the caller to release outside its lock; nil when there is none.
  mutating func popExpired() -> Value? { expired(atMost: 1) == 0 ? nil : dropOldest() }

  var expires: Bool { lifetime != nil }

  /// How many of the oldest are too old.
  private func expired(atMost limit: Int) -> Int {
    guard let lifetime else { return 0 }
    let now = lifetime.now
    var many = 0
    while many < limit, many < count, now &- times[many].bits >= lifetime.nanoseconds {
      many &+= 1
    }
    return many
  }

  private mutating func dropHead() {
    let old = head.unsafelyUnwrapped
    head = old.next
    headPlace = 0
    spare?.deallocate()
    spare = old
  }

  private mutating func addChunk() {
    let fresh = spare.take() ?? Chunk(chunkSize)
    fresh.next = nil
    if let tail { tail.next = fresh } else { head = fresh }
    tail = fresh
    tailPlace = 0
  }

  /// Calls with each value that is not too old, the oldest first, as long as the answer is true.
  /// The store must not change meanwhile.
  func forEach(_ body: (Value) -> Bool) {
    visit(from: expires ? expired(atMost: count) : 0, body)
  }

  /// Those after the first `skipped`.
  private func visit(from skipped: Int, _ body: (Value) -> Bool) {
    var chunk = head
    var place = headPlace &+ skipped
    var left = count &- skipped
    while left > 0, let current = chunk {
      if place >= chunkSize {
        chunk = current.next
        place &-= chunkSize
        continue
      }
      if !body(current.values[place]) { return }
      place &+= 1
      left &-= 1
    }
  }

  deinit {
    visit(from: 0) {
      $0.release()
      return true
    }
    var chunk = head
    while let current = chunk {
      chunk = current.next
      current.deallocate()
    }
    spare?.deallocate()
  }

  /// A pointer to the next chunk, and room for values.
  private struct Chunk {
    private let base: UnsafeMutableRawPointer

    init(_ size: Int) {
      base = rac_shim_allocate(16 &+ size &* MemoryLayout<Value>.stride).unsafelyUnwrapped
    }

    private init?(_ base: UnsafeMutableRawPointer?) {
      guard let base else { return nil }
      self.base = base
    }

    var next: Chunk? {
      get { Chunk(base.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee) }
      nonmutating set {
        base.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee = newValue?.base
      }
    }

    var values: UnsafeMutablePointer<Value> { (base + 16).assumingMemoryBound(to: Value.self) }

    func deallocate() { rac_shim_free(base) }
  }
}
