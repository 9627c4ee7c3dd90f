/// Tuples of everybody's first value, of everybody's second, and so on, as long as all have one.
/// RAC: +zip:
final class ZipCursor: Cursor {
  private var walks: [Walk]
  /// What was pulled for the next tuple: not lost when one of the sequences cannot be read now.
  private var row: [Value] = []

  init(_ sequences: [ValueSequence]) { walks = sequences.map { Walk($0) } }

  deinit { for value in row { value.release() } }

  override func next() -> Pulled {
    while row.count < walks.count {
      let pulled = walks[row.count].next()
      guard case .value(let value) = pulled else { return pulled }
      row.append(value)
    }
    let tuple = row.withUnsafeBufferPointer { Value.tuple($0) }
    for value in row { value.release() }
    row.removeAll(keepingCapacity: true)
    return tuple.map { .value($0) }
      ?? .failed(.error("rac", Status.noMemory, "not enough memory for a tuple"))
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
