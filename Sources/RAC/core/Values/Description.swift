import CRACShims

/// Text assembled byte by byte: `String` would pull Unicode tables into the Embedded library.
struct TextBuffer {
  private(set) var bytes: [UInt8] = []

  @inline(never)
  mutating func append(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ raw: UnsafeRawBufferPointer) { bytes.append(contentsOf: raw) }

  mutating func append(cString: UnsafePointer<CChar>) {
    append(UnsafeRawBufferPointer(start: cString, count: Int(rac_shim_length(cString))))
  }

  mutating func append(_ number: Int64) {
    append(upTo: 24) { rac_shim_print_int($0, 24, number) }
  }

  mutating func append(_ number: Double) {
    append(upTo: 40) { rac_shim_print_double($0, 40, number) }
  }

  mutating func append(address: UnsafeRawPointer?) {
    append(upTo: 24) { rac_shim_print_pointer($0, 24, address) }
  }

  private mutating func append(upTo capacity: Int, _ print: (UnsafeMutablePointer<CChar>?) -> Int) {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) {
      let length = print($0.baseAddress)
      append(UnsafeRawBufferPointer(start: $0.baseAddress, count: min(length, capacity &- 1)))
    }
  }

  /// Writes as snprintf does: at most `capacity` bytes with the NUL; the result is the full length.
  /// No character is cut in two, so that what is written can be decoded.
  func write(to buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int) -> Int {
    guard let buffer, capacity > 0 else { return bytes.count }
    var count = min(bytes.count, capacity &- 1)
    let shortest = max(0, count &- 3)
    while count > shortest, count < bytes.count, bytes[count] & 0xC0 == 0x80 { count &-= 1 }
    bytes.withUnsafeBytes { rac_shim_copy(buffer, $0.baseAddress, count) }
    buffer[count] = 0
    return bytes.count
  }

  /// Calls with a NUL-terminated copy.
  func withCString(_ body: (UnsafePointer<CChar>) -> Void) {
    var copy = bytes
    copy.append(0)
    copy.withUnsafeBytes {
      body($0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
    }
  }
}

extension Value {
  /// Appends what a reader of a log wants to see. Tuples deeper than `depth` are cut off.
  func describe(to text: inout TextBuffer, depth: Int = 16) {
    switch kind {
    case Kind.null: text.append("nil")
    case Kind.bool: text.append(bits != 0 ? "true" : "false")
    case Kind.int64: text.append(bits)
    case Kind.double: text.append(asDouble)
    case Kind.string: text.append(bytes)
    case Kind.bytes:
      text.append("<")
      text.append(Int64(length))
      text.append(" bytes>")
    case Kind.pointer:
      text.append("<pointer ")
      text.append(address: UnsafeRawPointer(foreignPointer))
      text.append(">")
    case Kind.object: describeObject(to: &text)
    case Kind.tuple:
      text.append("(")
      var first = true
      for element in elements {
        if !first { text.append(", ") }
        first = false
        if depth > 0 { element.describe(to: &text, depth: depth &- 1) } else { text.append("…") }
      }
      text.append(")")
    case Kind.error: describeError(to: &text)
    case Kind.unit: text.append("<unit>")
    case Kind.event: describeEvent(to: &text, depth: depth &- 1)
    case Kind.signal:
      text.append("<signal ")
      text.append(address: UnsafeRawPointer(address))
      text.append(">")
    case Kind.sequence:
      text.append("<sequence ")
      text.append(address: UnsafeRawPointer(address))
      text.append(">")
    default: text.append("<?>")
    }
  }

  private func describeObject(to text: inout TextBuffer) {
    guard let describe = objectClass?.pointee.describe else {
      text.append("<object ")
      text.append(address: UnsafeRawPointer(foreignPointer))
      text.append(">")
      return
    }
    let pointer = foreignPointer
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) {
      let length = describe(pointer, $0.baseAddress, 256)
      text.append(UnsafeRawBufferPointer(start: $0.baseAddress, count: Int(min(length, 255))))
    }
  }

  private func describeError(to text: inout TextBuffer) {
    guard let error = asError else {
      text.append("<error nil>")
      return
    }
    text.append("<error ")
    error.describe(to: &text)
    text.append(">")
  }
}

extension ErrorBox {
  func describe(to text: inout TextBuffer) {
    text.append(cString: domain)
    text.append(" ")
    text.append(code)
    text.append(": ")
    text.append(cString: message)
  }
}
