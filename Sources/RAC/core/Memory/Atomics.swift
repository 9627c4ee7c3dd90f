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

extension Int64 {
  /// The sum, or the greatest number: a time that never comes.
  func saturatingAdd(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
