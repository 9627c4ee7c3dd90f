import CRACShims

/// Strings and bytes.
extension Value {
  /// The bytes of a string or of bytes, without the NUL that follows a string.
  var bytes: UnsafeRawBufferPointer {
    @inline(__always) get {
      let start = isCounted ? Box(address.unsafelyUnwrapped).pointer(2) : address
      return UnsafeRawBufferPointer(start: start, count: Int(length))
    }
  }

  /// An owned copy; nil when there is no memory for it.
  static func copying(_ kind: UInt8, _ bytes: UnsafeRawBufferPointer) -> Value? {
    copyingHere(kind, bytes)
  }

  @inline(__always)
  static func copyingHere(_ kind: UInt8, _ bytes: UnsafeRawBufferPointer) -> Value? {
    guard bytes.count <= Int(UInt32.max), let box = Box.make(payload: bytes.count &+ 1) else {
      return nil
    }
    rac_shim_copy_text(box.payload, bytes.baseAddress, bytes.count)
    (box.payload + bytes.count).storeBytes(of: 0, as: UInt8.self)
    box.word(2).pointee = Int(bitPattern: box.payload)
    return Value(
      kind, flags: Flag.counted, length: UInt32(truncatingIfNeeded: bytes.count), pointer: box.base)
  }

  /// Owned bytes, the ones behind the others; nil when there is no memory for them.
  static func joining(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Value? {
    let count = first.count &+ second.count
    guard count <= Int(UInt32.max), let box = Box.make(payload: count &+ 1) else { return nil }
    if first.count > 0 { rac_shim_copy(box.payload, first.baseAddress, first.count) }
    if second.count > 0 {
      rac_shim_copy(box.payload + first.count, second.baseAddress, second.count)
    }
    box.word(2).pointee = Int(bitPattern: box.payload)
    return Value(
      Kind.bytes, flags: Flag.counted, length: UInt32(truncatingIfNeeded: count), pointer: box.base)
  }

  var isText: Bool { kind == Kind.string || kind == Kind.bytes }
}

extension StaticString {
  /// Writes what there is room for, with a NUL behind it, and leaves the room from there on.
  @inline(never)
  func write(to room: inout UnsafeMutableRawBufferPointer) {
    guard let start = room.baseAddress, room.count > 0 else { return }
    let count = min(utf8CodeUnitCount, room.count &- 1)
    rac_shim_copy(start, utf8Start, count)
    (start + count).storeBytes(of: 0, as: UInt8.self)
    room = UnsafeMutableRawBufferPointer(start: start + count, count: room.count &- count)
  }
}

enum UTF8Check {
  /// Whether bytes are well-formed UTF-8: no overlong forms, no surrogates, nothing past U+10FFFF.
  ///
  /// Most text is ASCII: many bytes at a time, and the last ones with some before them.
  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var at = 0
    let count = bytes.count
    if count >= 16 {
      while count &- at > 32, isASCII(half(bytes, at) | half(bytes, at &+ 16)) { at &+= 32 }
      if count &- at <= 32, isASCII(half(bytes, max(0, count &- 32)) | half(bytes, count &- 16)) {
        return true
      }
    } else if count >= 8 {
      if isASCII(word(bytes, 0) | word(bytes, count &- 8)) { return true }
    } else if count >= 4 {
      if isASCII(UInt64(short(bytes, 0) | short(bytes, count &- 4))) { return true }
    }
    return isValid(bytes, from: at)
  }

  /// Whether it is ASCII of 16 to 32 bytes, as most texts are that are sent. False: look closer.
  @inline(__always)
  static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let count = bytes.count
    return UInt(bitPattern: count &- 16) <= 16 && bytes.baseAddress != nil
      && isASCII(half(bytes, 0) | half(bytes, count &- 16))
  }

  /// The bytes before are known to be.
  @inline(never)
  private static func isValid(_ bytes: UnsafeRawBufferPointer, from: Int) -> Bool {
    var at = from
    let count = bytes.count
    while at < count {
      while count &- at >= 8, isASCII(word(bytes, at)) { at &+= 8 }
      if at == count { break }
      if count &- at < 8, count >= 8, isASCII(word(bytes, count &- 8)) { break }
      let lead = bytes[at]
      if lead < 0x80 {
        at &+= 1
        continue
      }
      let extra: Int
      var low: UInt8 = 0x80
      var high: UInt8 = 0xBF
      switch lead {
      case 0xC2...0xDF: extra = 1
      case 0xE0: (extra, low) = (2, 0xA0)
      case 0xED: (extra, high) = (2, 0x9F)
      case 0xE1...0xEF: extra = 2
      case 0xF0: (extra, low) = (3, 0x90)
      case 0xF4: (extra, high) = (3, 0x8F)
      case 0xF1...0xF3: extra = 3
      default: return false
      }
      guard extra < count &- at else { return false }
      guard bytes[at &+ 1] >= low, bytes[at &+ 1] <= high else { return false }
      var offset = 2
      while offset <= extra {
        guard bytes[at &+ offset] & 0xC0 == 0x80 else { return false }
        offset &+= 1
      }
      at &+= extra &+ 1
    }
    return true
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
  }

  @inline(__always)
  private static func short(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt32 {
    bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)
  }

  /// The bits of 16 bytes.
  @inline(__always)
  private static func half(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt64 {
    word(bytes, at) | word(bytes, at &+ 8)
  }

  @inline(__always)
  private static func isASCII(_ word: UInt64) -> Bool { word & 0x8080_8080_8080_8080 == 0 }
}
