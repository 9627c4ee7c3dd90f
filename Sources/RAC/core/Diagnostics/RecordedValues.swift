import CRACShims

/// Values in a recording: docs/Recording.md, "Rings".
extension Value {
  /// As an event of a node. Texts are written down, and what objects and errors say of themselves.
  /// Returns the ticks of the processor at the time.
  @discardableResult
  func record(_ kind: UInt8, _ node: UInt32, _ thread: Thread) -> UInt64 {
    if isText {
      return record(bytes, kind, node, thread)
    } else if let describe = objectClass?.pointee.describe {
      return recordObject(kind, node, thread, describe)
    } else if let error = asError {
      return record(error, kind, node, thread)
    } else {
      let bits = self.kind <= Kind.double ? UInt64(bitPattern: self.bits) : 0
      return rac_recording_value(thread, kind, node, self.kind, 0, bits, nil)
    }
  }

  private func record(
    _ text: UnsafeRawBufferPointer, _ kind: UInt8, _ node: UInt32, _ thread: Thread
  ) -> UInt64 {
    rac_recording_value(
      thread, kind, node, self.kind, UInt32(clamping: text.count), 0,
      text.baseAddress?.assumingMemoryBound(to: CChar.self))
  }

  /// With the text that its class has for it. The room says that a short one is wanted.
  @inline(never)
  private func recordObject(
    _ kind: UInt8, _ node: UInt32, _ thread: Thread,
    _ describe: (UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>?, Int) -> Int
  ) -> UInt64 {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 96) {
      let length = UInt32(clamping: describe(foreignPointer, $0.baseAddress, 96))
      return rac_recording_value(thread, kind, node, self.kind, length, 0, $0.baseAddress)
    }
  }

  /// Such as "app 5: no answer".
  @inline(never)
  private func record(
    _ error: ErrorBox, _ kind: UInt8, _ node: UInt32, _ thread: Thread
  ) -> UInt64 {
    var text = TextBuffer()
    error.describe(to: &text)
    return text.bytes.withUnsafeBytes { record($0, kind, node, thread) }
  }
}
