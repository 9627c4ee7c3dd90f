import CRACShims

/// A tuple that is sent again and again with other elements: the same block as long as nobody who
/// got it keeps it, a new one when somebody does.
struct ReusedTuple: ~Copyable {
  private var box: Box?
  private let count: Int

  init(_ count: Int) { self.count = count }

  /// Before elements are set: a block that may be changed, with the elements there were or with nil
  /// ones.
  mutating func prepare(keeping: Bool) {
    if let box, box.isUnique { return }
    replace(keeping)
  }

  private mutating func replace(_ keeping: Bool) {
    guard let fresh = Box.make(payload: count &* MemoryLayout<Value>.stride) else {
      rac_shim_fatal("out of memory")
    }
    fresh.word(1).pointee = count
    let elements = fresh.payload.assumingMemoryBound(to: Value.self)
    let kept = keeping ? box : nil
    for index in Places(count) {
      (elements + index).initialize(to: kept?.elements[index].retained() ?? .null)
    }
    if box != nil { value.release() }
    box = fresh
  }

  /// Takes the element over, and lets go of the one before.
  func set(_ index: Int, _ element: Value) {
    let place = box.unsafelyUnwrapped.payload.assumingMemoryBound(to: Value.self) + index
    let old = place.pointee
    place.pointee = element
    old.release()
  }

  /// The tuple, lent.
  var value: Value {
    Value(
      Value.Kind.tuple, flags: Value.Flag.counted,
      pointer: UnsafeRawPointer(box.unsafelyUnwrapped.base))
  }

  /// Lets go of the elements, or of the tuple if somebody else keeps it.
  @inline(__always)
  mutating func clear() {
    guard let box else { return }
    if box.isUnique {
      for index in Places(count) { set(index, .null) }
    } else {
      self = ReusedTuple(count)
    }
  }

  func visit(_ visitor: inout Visitor) {
    if box != nil { visitor.value(value) }
  }

  deinit {
    if box != nil { value.release() }
  }
}
