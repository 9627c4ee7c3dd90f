/// A name: NUL-terminated bytes of its own.
final class SignalName {
  let bytes: [UInt8]

  init(_ text: TextBuffer) {
    var bytes = text.bytes
    bytes.append(0)
    self.bytes = bytes
  }

  init(_ text: UnsafePointer<CChar>) {
    var buffer = TextBuffer()
    buffer.append(cString: text)
    buffer.append(UnsafeRawBufferPointer(start: nil, count: 0))
    var bytes = buffer.bytes
    bytes.append(0)
    self.bytes = bytes
  }

  /// Without the NUL.
  func append(to text: inout TextBuffer) {
    bytes.withUnsafeBytes {
      text.append(UnsafeRawBufferPointer(start: $0.baseAddress, count: $0.count &- 1))
    }
  }
}

extension Signal {
  /// Anybody may change it, and ask for it, at any time.
  final var name: SignalName? {
    get { engine.diagnostics.nameLock.locked { latestName } }
    set {
      var old = newValue
      engine.diagnostics.nameLock.locked { swap(&old, &latestName) }
    }
  }

  /// Names the signal "[source] -operation", as RAC does, if names are being recorded.
  @inline(__always)
  final func named(_ operation: StaticString, _ source: Signal? = nil) -> Self {
    if engine.diagnostics.recordsNames { record(operation, source) }
    return self
  }

  @inline(never)
  private final func record(_ operation: StaticString, _ source: Signal?) {
    var text = TextBuffer()
    if let source {
      text.append("[")
      source.name?.append(to: &text)
      text.append("] -")
    } else {
      text.append("+")
    }
    text.append(operation)
    name = SignalName(text)
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
