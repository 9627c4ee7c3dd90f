/// How many bytes before a frame say how many it has.
struct FrameLength {
  let width: Int
  let isLittleEndian: Bool

  init?(_ width: CSize, _ isLittleEndian: Bool, _ function: StaticString) {
    guard width == 1 || width == 2 || width == 4 || width == 8 else {
      Failure.record(Status.invalid, "a length has 1, 2, 4 or 8 bytes", in: function)
      return nil
    }
    self.width = width
    self.isLittleEndian = isLittleEndian
  }

  private func shift(of index: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: (isLittleEndian ? index : width &- 1 &- index) &* 8)
  }

  func read(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var length: UInt64 = 0
    var index = 0
    while index < width {
      length |= UInt64(bytes[index]) &<< shift(of: index)
      index &+= 1
    }
    return length
  }

  /// The bytes of a length, in memory's order.
  func bytes(of length: Int) -> UInt64 {
    var bytes: UInt64 = 0
    var index: UInt64 = 0
    while index < UInt64(truncatingIfNeeded: width) {
      let byte = UInt64(truncatingIfNeeded: length) &>> shift(of: Int(truncatingIfNeeded: index))
      bytes |= (byte & 0xFF) &<< (index &* 8)
      index &+= 1
    }
    return bytes
  }

  /// Whether a length of so much can be written.
  func holds(_ length: Int) -> Bool { width == 8 || length >> (width &* 8) == 0 }
}

extension Border {
  /// A signal of frames made from one of texts: with a delimiter.
  static func derive(
    _ source: CSignal?, _ delimiter: rac_value, _ longest: CSize,
    _ function: StaticString = #function, _ make: (Signal, OwnedValue, Int) -> Signal
  ) -> CSignal? {
    derive(source, function) { source in
      guard let longest = byteLimit(longest, function) else { return nil }
      guard delimiter.isText, delimiter.length > 0 else {
        return fail(Status.kind, "the delimiter is no text, or empty", in: function)
      }
      guard let delimiter = kept(delimiter, function) else { return nil }
      defer { delimiter.release() }
      return make(source, OwnedValue(delimiter), longest)
    }
  }

  /// The same, with a length.
  static func derive(
    _ source: CSignal?, _ width: CSize, _ isLittleEndian: Bool, _ longest: CSize,
    _ function: StaticString = #function, _ make: (Signal, FrameLength, Int) -> Signal
  ) -> CSignal? {
    derive(source, function) { source in
      guard let length = FrameLength(width, isLittleEndian, function),
        let longest = byteLimit(longest, function)
      else { return nil }
      return make(source, length, longest)
    }
  }
}
