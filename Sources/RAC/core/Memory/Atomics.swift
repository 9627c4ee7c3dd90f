import Synchronization

// The compare-and-swap of nearly every protocol: what it finds happened before, and what it leaves
// happens before whatever finds that.

extension Atomic where Value.AtomicRepresentation == UInt64.AtomicRepresentation {
  @inline(__always)
  borrowing func replace(_ old: Value, with new: Value) -> (exchanged: Bool, original: Value) {
    compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing)
  }
}

extension Atomic where Value.AtomicRepresentation == UInt32.AtomicRepresentation {
  @inline(__always)
  borrowing func replace(_ old: Value, with new: Value) -> (exchanged: Bool, original: Value) {
    compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing)
  }
}
