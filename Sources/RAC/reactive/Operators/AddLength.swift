import CRACShims

/// Sends each value with its length before it: what rac_signal_split_by_length() cuts.
///
///     source        --a--b--|   a: ab, b: c
///     add_length 1  --d--e--|   d: \2ab, e: \1c
///
/// It fails with RAC_ERANGE, of domain "rac", at a value that is longer than `longest`, or than the
/// length can say.
///
/// - Parameter texts: borrowed; strings and bytes.
/// - Parameter width: how many bytes the length has: 1, 2, 4 or 8.
/// - Parameter little_endian: whether the byte of least value comes first. Network order: false.
/// - Parameter longest: the most bytes of a value, up to 2^30; 0 is 65,536.
/// - Returns: one reference; it sends bytes. It fails with RAC_EKIND at a value that is no text.
///   NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_add_length(
  _ texts: CSignal?, _ width: CSize, _ little_endian: Bool, _ longest: CSize
) -> CSignal? {
  Border.derive(texts, width, little_endian, longest) { source, length, longest in
    source.lift("addLength:") { AddLengthSink(length, longest, $0) }
  }
}

/// Sends each value with a delimiter behind it: what rac_signal_split_by_delimiter() cuts.
///
///     source             --a--b--|   a: ab, b: c
///     add_delimiter ";"  --d--e--|   d: ab;, e: c;
///
/// A value may have the delimiter inside of it: nobody looks. It fails with RAC_ERANGE, of domain
/// "rac", at a value that is longer than `longest`.
///
/// - Parameter texts: borrowed; strings and bytes.
/// - Parameter delimiter: borrowed; a string or bytes, not empty.
/// - Parameter longest: the most bytes of a value, up to 2^30; 0 is 65,536.
/// - Returns: one reference; it sends bytes. It fails with RAC_EKIND at a value that is no text.
///   NULL with RAC_EINVAL, RAC_EKIND, RAC_ENULL or RAC_ESTALE.
///
/// Since: 0.1
@c public func rac_signal_add_delimiter(
  _ texts: CSignal?, _ delimiter: rac_value, _ longest: CSize
) -> CSignal? {
  Border.derive(texts, delimiter, longest) { source, delimiter, longest in
    source.lift("addDelimiter:", holding: delimiter) { AddDelimiterSink(delimiter, longest, $0) }
  }
}

private class FramingSink: Stage {
  private final let longest: Int

  init(_ longest: Int, _ downstream: Sink) {
    self.longest = longest
    super.init(downstream)
  }

  func frame(_ bytes: UnsafeRawBufferPointer) {}
  func allows(_ count: Int) -> Bool { true }

  override final func next(_ value: Value) {
    guard value.isText else {
      return refuse(Status.kind, "a value to frame is no text", at: value)
    }
    let bytes = value.bytes
    guard bytes.count <= longest, allows(bytes.count) else {
      return refuse(Status.range, "a frame is longer than was allowed")
    }
    frame(bytes)
  }

  final func send(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) {
    guard let both = Value.joining(first, second) else { return failWithoutMemory() }
    downstream.next(owned: both)
  }
}

private final class AddLengthSink: FramingSink {
  private let length: FrameLength

  init(_ length: FrameLength, _ longest: Int, _ downstream: Sink) {
    self.length = length
    super.init(longest, downstream)
  }

  override func allows(_ count: Int) -> Bool { length.holds(count) }
  override func frame(_ bytes: UnsafeRawBufferPointer) {
    var header = length.bytes(of: bytes.count)
    withUnsafeBytes(of: &header) {
      send(UnsafeRawBufferPointer(start: $0.baseAddress, count: length.width), bytes)
    }
  }
}

private final class AddDelimiterSink: FramingSink {
  private let delimiter: OwnedValue

  init(_ delimiter: OwnedValue, _ longest: Int, _ downstream: Sink) {
    self.delimiter = delimiter
    super.init(longest, downstream)
  }

  override func frame(_ bytes: UnsafeRawBufferPointer) { send(bytes, delimiter.value.bytes) }
}
