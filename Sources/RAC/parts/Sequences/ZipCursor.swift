import CRACShims

/// Tuples of the first values of all, of their second ones, and so on, as long as all have one.
/// RAC: +zip:
final class ZipCursor: Cursor {
  private struct Lane {
    var walk: Walk
    /// Pulled for the next tuple: not lost when another sequence cannot be read now.
    var value: Value
  }

  private let count: Int
  private let lanes: UnsafeMutablePointer<Lane>
  /// How many have their value.
  private var ready = 0

  init(_ sequences: [ValueSequence]) {
    count = sequences.count
    lanes = rac_shim_allocate(count &* MemoryLayout<Lane>.stride).unsafelyUnwrapped
      .bindMemory(to: Lane.self, capacity: count)
    for at in Places(count) {
      (lanes + at).initialize(to: Lane(walk: Walk(sequences[at]), value: .null))
    }
  }

  deinit {
    for at in Places(count) {
      if at < ready { lanes[at].value.release() }
      (lanes + at).deinitialize(count: 1)
    }
    rac_shim_free(lanes)
  }

  override func next() -> ReadResult {
    while ready < count {
      let pulled = lanes[ready].walk.next()
      guard case .value(let value) = pulled else { return pulled }
      lanes[ready].value = value
      ready &+= 1
    }
    // The tuple takes the values over.
    let tuple = Value.needed(.tuple(count) { lanes[$0].value })
    ready = 0
    return .value(tuple)
  }

  override func visit(_ visitor: inout Visitor) {
    for at in Places(count) {
      visitor.reference(lanes[at].walk.at)
      if at < ready { visitor.value(lanes[at].value) }
    }
  }
}

extension ValueSequence {
  static func zip(_ sequences: [ValueSequence]) -> ValueSequence {
    if sequences.isEmpty { return EmptySequence() }
    var depth: Int32 = 0
    for sequence in sequences { depth = max(depth, sequence.depth) }
    return LazySequence(ZipCursor(sequences), depth: depth &+ 1)
  }
}
