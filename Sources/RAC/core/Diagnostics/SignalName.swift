import CRACShims

/// A name: NUL-terminated bytes of its own.
final class SignalName {
  let bytes: [UInt8]

  init(_ text: TextBuffer) {
    var bytes = text.bytes
    bytes.append(0)
    self.bytes = bytes
  }

  convenience init(_ text: UnsafePointer<CChar>) {
    var buffer = TextBuffer()
    buffer.append(cString: text)
    self.init(buffer)
  }

  /// Without the NUL.
  func append(to text: inout TextBuffer) {
    bytes.withUnsafeBytes {
      text.append(UnsafeRawBufferPointer(start: $0.baseAddress, count: $0.count &- 1))
    }
  }
}

extension SignalName {
  /// "" for no name.
  static func withText(_ name: SignalName?, _ body: (UnsafePointer<CChar>) -> Void) {
    guard let name else {
      var none: CChar = 0
      return body(&none)
    }
    name.bytes.withUnsafeBytes {
      body($0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
    }
  }
}

extension SignalName {
  /// As a text of the recording; 0 for none.
  static func record(_ name: SignalName?) -> UInt32 {
    guard let name else { return 0 }
    var text: UInt32 = 0
    withText(name) { text = rac_recording_text($0, name.bytes.count &- 1) }
    return text
  }
}
