import CRACShims

extension Array {
  // The bounds checks of the usual loop and subscript are traps, of which the library has few.

  func each(_ body: (Element) -> Void) {
    withUnsafeBufferPointer { for element in $0 { body(element) } }
  }

  func element(at index: Int) -> Element { withUnsafeBufferPointer { $0[index] } }

  /// An empty one that gets so many elements without asking for memory.
  init(withRoomFor count: Int) {
    self.init()
    reserveCapacity(count)
  }

  /// The same as a checked allocation, where a program has chosen the length: nil when there is no
  /// memory for so many.
  @inline(__always)
  init?(checkedFor count: Int) {
    // Less than 64 bytes come before the elements.
    let (bytes, isTooLong) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard !isTooLong, bytes < Int.max &- 64, rac_shim_hold(bytes &+ 64) else { return nil }
    self.init(withRoomFor: count)
    rac_shim_drop_held()
  }
}
