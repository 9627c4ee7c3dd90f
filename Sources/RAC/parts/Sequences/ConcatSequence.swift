extension ValueSequence {
  /// The values of all of them, one sequence after the other. RAC: -concat:, +concat:
  static func concat(_ parts: [ValueSequence]) -> ValueSequence {
    parts.isEmpty ? EmptySequence() : ConcatSequence(parts)
  }

  /// A value before all others. RAC: -startWith:
  func startWith(_ value: Value) -> ValueSequence { ConcatSequence([.just(value), self]) }

  /// One value. RAC: +return:
  static func just(_ value: Value) -> ValueSequence {
    var value = value
    let tuple = withUnsafePointer(to: &value) {
      Value.needed(.tuple(UnsafeBufferPointer(start: $0, count: 1)))
    }
    defer { tuple.release() }
    return TupleSequence(tuple)
  }
}

/// However a chain of concatenations was put together, it is read as one flat list, so that neither
/// its length nor its shape costs stack.
final class ConcatSequence: LazySequence {
  /// The last one first: lists of parts are read from their end.
  private var parts: [ValueSequence] = []

  init(_ list: [ValueSequence]) {
    var index = list.count
    parts.reserveCapacity(index)
    while index > 0 {
      index &-= 1
      parts.append(list[index])
    }
    // Nested concatenations are flattened, so they add no depth.
    var depth: Int32 = 0
    for part in parts { depth = max(depth, part is ConcatSequence ? part.depth &- 1 : part.depth) }
    super.init(nil, depth: depth &+ 1)
  }

  override func makeCursor() -> Cursor { ConcatCursor(parts) }

  deinit {
    // A long chain is taken apart in a loop.
    var dying = parts
    parts = []
    while var part = dying.popLast() {
      guard isKnownUniquelyReferenced(&part), let nested = part as? ConcatSequence else { continue }
      dying.append(contentsOf: nested.parts)
      nested.parts = []
    }
  }

  /// Puts the parts of a sequence on top of a list that is read from its end.
  static func unpack(_ sequence: ValueSequence, onto list: inout [ValueSequence]) -> Bool {
    guard let nested = sequence as? ConcatSequence else { return false }
    list.append(contentsOf: nested.parts)
    return true
  }

  override func visit(_ visitor: inout Visitor) {
    super.visit(&visitor)
    visitor.references(parts)
  }
}

private final class ConcatCursor: Cursor {
  /// The sequences that are left to read, last first.
  private var left: [ValueSequence]
  private var walk = Walk(EmptySequence())
  /// The last one is not copied value by value: the sequence goes on with it.
  private var last: ValueSequence?

  init(_ parts: [ValueSequence]) { left = parts }

  override var successor: ValueSequence? { last }

  override func next() -> ReadResult {
    while true {
      let pulled = walk.next()
      guard case .end = pulled, let part = nextPart() else { return pulled }
      if left.isEmpty {
        last = part
        return .end
      }
      walk = Walk(part)
    }
  }

  private func nextPart() -> ValueSequence? {
    while let part = left.popLast() {
      if !ConcatSequence.unpack(part, onto: &left) { return part }
    }
    return nil
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.references(left)
    visitor.reference(walk.at)
    visitor.reference(last)
  }
}
