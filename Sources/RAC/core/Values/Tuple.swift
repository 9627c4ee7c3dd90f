/// Tuples: immutable lists of values, nil included.
extension Value {
  /// An owned tuple that retains the elements; nil when there is no memory for it.
  static func tuple(_ elements: UnsafeBufferPointer<Value>) -> Value? {
    guard elements.count < Int.max / 32,
      let box = Box.make(payload: elements.count &* MemoryLayout<Value>.stride)
    else { return nil }
    let tuple = Value(Kind.tuple, flags: Flag.counted, pointer: box.base)
    let slots = box.payload.assumingMemoryBound(to: Value.self)
    for index in Places(elements.count) {
      let element = elements[index]
      if element.kind <= Value.Kind.double {
        slots[index] = element.scalar
      } else if let kept = element.retainedIfPossible() {
        slots[index] = kept
      } else {
        // As long as it has got.
        box.word(1).pointee = index
        tuple.release()
        return nil
      }
    }
    box.word(1).pointee = elements.count
    return tuple
  }

  /// An owned tuple of as many owned values as the closure makes; nil when there is no memory for
  /// it.
  @inline(__always)
  static func tuple(_ count: Int, _ element: (Int) -> Value) -> Value? {
    guard let box = Box.make(payload: count &* MemoryLayout<Value>.stride) else { return nil }
    box.word(1).pointee = count
    let slots = box.payload.assumingMemoryBound(to: Value.self)
    for index in Places(count) {
      slots[index] = element(index)
    }
    return Value(Kind.tuple, flags: Flag.counted, pointer: box.base)
  }

  /// An owned tuple of this one's elements and another value; nil when there is no memory for it.
  func adding(_ value: Value) -> Value? {
    let elements = self.elements
    guard let last = value.retainedIfPossible() else { return nil }
    let tuple = Value.tuple(elements.count &+ 1) { index in
      index < elements.count ? elements[index].retained() : last
    }
    if tuple == nil { last.release() }
    return tuple
  }

  /// A pair, owned, of two borrowed values.
  static func pair(_ first: Value, _ second: Value) -> Value {
    var both = (first, second)
    return withUnsafePointer(to: &both) {
      $0.withMemoryRebound(to: Value.self, capacity: 2) {
        .needed(.tuple(UnsafeBufferPointer(start: $0, count: 2)))
      }
    }
  }

  var elements: UnsafeBufferPointer<Value> { Box(address.unsafelyUnwrapped).elements }
}
