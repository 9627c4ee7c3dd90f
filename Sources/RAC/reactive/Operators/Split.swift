import CRACShims

/// Cuts what comes in portions at each delimiter.
///
///     source        --a--b--c--|   a: ab;c, b: d;, c: e
///     split_by ";"  --d--f-----(e|)   d: ab, f: cd
///
/// Text behind the last delimiter is a part too. It fails with RAC_ERANGE, of domain "rac", at a
/// part that is longer than `longest`, before it holds more.
///
/// - Parameter portions: borrowed; strings and bytes, such as those of rac_signal_chunks().
/// - Parameter delimiter: borrowed; a string or bytes, not empty.
/// - Parameter longest: the most bytes of a part, up to 2^30; 0 is 65,536.
/// - Returns: one reference; it sends bytes, without the delimiter. It fails with RAC_EKIND at a
///   value that is no text. NULL with RAC_EINVAL, RAC_EKIND, RAC_ENULL or RAC_ESTALE.
///
/// Since: 0.1
@c public func rac_signal_split_by_delimiter(
  _ portions: CSignal?, _ delimiter: rac_value, _ longest: CSize
) -> CSignal? {
  Border.derive(portions, delimiter, longest) { source, delimiter, longest in
    source.lift("split:", holding: delimiter) { DelimiterSink(delimiter, longest, $0) }
  }
}

/// Cuts what comes in portions into frames with their length before them.
///
///     source             --a--b--c--|   a: \2a, b: b\1, c: c
///     split_by_length 1  -----d--c--|   d: ab
///
/// It fails with RAC_ERANGE, of domain "rac", at a length above `longest`, and with RAC_EINVAL when
/// the source completes inside a frame.
///
/// - Parameter portions: borrowed; strings and bytes, such as those of rac_signal_chunks().
/// - Parameter width: how many bytes the length has: 1, 2, 4 or 8. It does not count itself.
/// - Parameter little_endian: whether the byte of least value comes first. Network order: false.
/// - Parameter longest: the most bytes of a frame, up to 2^30; 0 is 65,536.
/// - Returns: one reference; it sends bytes, without the length. It fails with RAC_EKIND at a value
///   that is no text. NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_split_by_length(
  _ portions: CSignal?, _ width: CSize, _ little_endian: Bool, _ longest: CSize
) -> CSignal? {
  Border.derive(portions, width, little_endian, longest) { source, length, longest in
    source.lift("split:") { LengthSink(length, longest, $0) }
  }
}

/// Cuts what comes in portions where a callback says.
///
///     source           --a--b--|   a: ab;c, b: d;
///     split_by to ";"  --e--f--|   e: ab;, f: cd;
///
/// - Parameter portions: borrowed; strings and bytes, such as those of rac_signal_chunks().
/// - Parameter context: passed to the callback.
/// - Parameter measure: gets all bytes that are there, a lent value of bytes; writes to `*out` how
///   many of them the first frame has, an int64: 0, or nil, as long as it is not whole. A failure
///   ends the stream.
/// - Parameter longest: the most bytes of a frame, up to 2^30; 0 is 65,536. More that are no frame
///   fail with RAC_ERANGE, of domain "rac"; a completion inside a frame with RAC_EINVAL.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; it sends bytes, whole frames. It fails with RAC_EKIND at a value that
///   is no text. NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_split_by(
  _ portions: CSignal?, _ context: CContext?, _ measure: rac_map_fn?, _ longest: CSize,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(portions, context, measure, destroy) { source, context, measure in
    guard let longest = Border.byteLimit(longest) else { return nil }
    return source.lift("split:", holding: context) { MeasuredSink(context, measure, longest, $0) }
  }
}

/// Puts portions together and cuts them anew.
private class SplittingSink: Stage {
  final let longest: Int
  /// The rest of the last portion.
  private final var rest: UnsafeMutableRawPointer?
  private final var count = 0
  private final var capacity = 0

  init(_ longest: Int, _ downstream: Sink) {
    self.longest = longest
    super.init(downstream)
  }

  deinit { rac_shim_free(rest) }

  static var tooLong: StaticString { "a frame is longer than was allowed" }

  enum Cut {
    case none
    /// The part that is sent, and how many bytes are done with.
    case frame(start: Int, count: Int, end: Int)
    case tooLong
    /// The stream has failed.
    case failed
  }

  /// The first frame.
  func cut(_ bytes: UnsafeRawBufferPointer) -> Cut { .none }
  /// The source has completed.
  func end(_ bytes: UnsafeRawBufferPointer) {
    if bytes.count > 0 {
      return refuse(Status.invalid, "the source has completed inside a frame")
    }
    downstream.completed()
  }

  override final func next(_ value: Value) {
    guard value.isText else {
      return refuse(Status.kind, "a value to split is no text", at: value)
    }
    var bytes = value.bytes
    if count > 0 {
      guard keep(bytes) else { return failWithoutMemory() }
      bytes = UnsafeRawBufferPointer(start: rest, count: count)
    }
    while scope.isActive {
      switch cut(bytes) {
      case .frame(let start, let length, let end):
        let base = bytes.baseAddress
        send(base.map { $0 + start }, length)
        bytes = UnsafeRawBufferPointer(start: base.map { $0 + end }, count: bytes.count &- end)
        continue
      case .none: break
      case .tooLong: refuse(Status.range, SplittingSink.tooLong)
      case .failed: break
      }
      break
    }
    if count > 0 {
      // They lie here already.
      if let start = bytes.baseAddress { rac_shim_move(rest, start, bytes.count) }
      count = bytes.count
    } else if bytes.count > 0 && scope.isActive && !keep(bytes) {
      failWithoutMemory()
    }
  }

  override final func completed() { end(UnsafeRawBufferPointer(start: rest, count: count)) }

  final func send(_ start: UnsafeRawPointer?, _ count: Int) { downstream.next(view(start, count)) }

  final func view(_ start: UnsafeRawPointer?, _ count: Int) -> Value {
    Value(
      Value.Kind.bytes, flags: Value.Flag.view, length: UInt32(truncatingIfNeeded: count),
      pointer: start)
  }

  /// False: there is no memory.
  private func keep(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let needed = count &+ bytes.count
    if needed > capacity {
      let larger = max(needed, capacity &* 2)
      guard let moved = rac_shim_enlarge_checked(rest, count, larger) else { return false }
      rest = moved
      capacity = larger
    }
    if let rest { rac_shim_copy(rest + count, bytes.baseAddress, bytes.count) }
    count = needed
    return true
  }
}

private final class DelimiterSink: SplittingSink {
  private let delimiter: OwnedValue
  /// No delimiter begins before this.
  private var searched = 0

  init(_ delimiter: OwnedValue, _ longest: Int, _ downstream: Sink) {
    self.delimiter = delimiter
    super.init(longest, downstream)
  }

  override func cut(_ bytes: UnsafeRawBufferPointer) -> Cut {
    let delimiter = delimiter.value.bytes
    guard let start = bytes.baseAddress else { return .none }
    let found =
      searched
      &+ Int(
        rac_shim_find(
          start + searched, bytes.count &- searched, delimiter.baseAddress, delimiter.count))
    if found < bytes.count {
      searched = 0
      return found > longest
        ? .tooLong : .frame(start: 0, count: found, end: found &+ delimiter.count)
    }
    // The last of them may begin a delimiter.
    searched = max(0, bytes.count &- delimiter.count &+ 1)
    return searched > longest ? .tooLong : .none
  }

  override func end(_ bytes: UnsafeRawBufferPointer) {
    if bytes.count > longest { return refuse(Status.range, SplittingSink.tooLong) }
    if bytes.count > 0 { send(bytes.baseAddress, bytes.count) }
    downstream.completed()
  }
}

private final class LengthSink: SplittingSink {
  private let length: FrameLength

  init(_ length: FrameLength, _ longest: Int, _ downstream: Sink) {
    self.length = length
    super.init(longest, downstream)
  }

  override func cut(_ bytes: UnsafeRawBufferPointer) -> Cut {
    let width = length.width
    if bytes.count < width { return .none }
    let count = length.read(bytes)
    if count > UInt64(truncatingIfNeeded: longest) { return .tooLong }
    let end = width &+ Int(truncatingIfNeeded: count)
    return end <= bytes.count ? .frame(start: width, count: end &- width, end: end) : .none
  }
}

private final class MeasuredSink: SplittingSink {
  private let context: Context
  private let measure: rac_map_fn

  init(_ context: Context, _ measure: @escaping rac_map_fn, _ longest: Int, _ downstream: Sink) {
    self.context = context
    self.measure = measure
    super.init(longest, downstream)
  }

  override func cut(_ bytes: UnsafeRawBufferPointer) -> Cut {
    if bytes.count == 0 { return .none }
    let all = view(bytes.baseAddress, bytes.count)
    guard let answer = result({ measure(context.pointer, all, $0) }) else { return .failed }
    let count = answer.kind == Value.Kind.int64 ? answer.bits : 0
    answer.release()
    if count > Int64(longest) || (count <= 0 && bytes.count > longest) { return .tooLong }
    let end = Int(truncatingIfNeeded: count)
    return end > 0 && end <= bytes.count ? .frame(start: 0, count: end, end: end) : .none
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(context) }
}
