import CRACShims

/// Nothing. RACEmptySequence.
final class EmptySequence: ValueSequence {}

/// An error, where a value was to be.
final class FailedSequence: ValueSequence {
  private let error: Value

  /// Takes the error over.
  init(owned error: Value) { self.error = error }
  deinit { error.release() }

  override func head() -> ReadResult { .failed(error.retained()) }
  override func tail() -> TailResult { .failed(error.retained()) }
}

/// The elements of a tuple, from one on. RACArraySequence, RACTupleSequence, RACUnarySequence.
final class TupleSequence: ValueSequence {
  private let tuple: Value
  private let offset: Int

  /// Retains the tuple.
  init(_ tuple: Value, from offset: Int = 0) {
    self.tuple = tuple.retained()
    self.offset = offset
  }
  deinit { tuple.release() }

  override func head() -> ReadResult {
    offset < tuple.elements.count ? .value(tuple.elements[offset].retained()) : .end
  }

  override func tail() -> TailResult {
    offset < tuple.elements.count ? .sequence(TupleSequence(tuple, from: offset &+ 1)) : .end
  }

  override func visit(_ visitor: inout Visitor) { visitor.value(tuple) }
}

/// Numbers at equal distances. Ends before one that does not fit.
final class RangeSequence: ValueSequence {
  private let start: Int64
  private let step: Int64
  /// nil for no end.
  private let count: Int?

  init(_ start: Int64, _ step: Int64, _ count: Int?) {
    self.start = start
    self.step = step
    self.count = count
  }

  override func head() -> ReadResult { count == 0 ? .end : .value(.int64(start)) }

  override func tail() -> TailResult {
    if count == 0 { return .end }
    let (next, overflow) = start.addingReportingOverflow(step)
    if overflow { return .sequence(EmptySequence()) }
    return .sequence(RangeSequence(next, step, count.map { $0 &- 1 }))
  }
}

/// The bytes of a string or of bytes, as numbers, or the characters of a string. RACStringSequence.
final class TextSequence: ValueSequence {
  private let text: Value
  private let offset: Int
  /// How many bytes are first; 0 at the end.
  private let length: Int
  private let inCharacters: Bool

  /// Retains the text.
  init(_ text: Value, from offset: Int = 0, inCharacters: Bool) {
    self.text = text.retained()
    self.offset = offset
    self.inCharacters = inCharacters
    // The kept text may be a copy of a lent one: measure the kept one.
    length =
      offset >= Int(self.text.length)
      ? 0 : inCharacters ? Characters.length(self.text.bytes, at: offset) : 1
  }
  deinit { text.release() }

  override func head() -> ReadResult {
    if length == 0 { return .end }
    let bytes = text.bytes
    if !inCharacters { return .value(.int64(Int64(bytes[offset]))) }
    let first = UnsafeRawBufferPointer(start: bytes.baseAddress.map { $0 + offset }, count: length)
    return .value(.needed(.copying(Value.Kind.string, first)))
  }

  override func tail() -> TailResult {
    if length == 0 { return .end }
    return .sequence(TextSequence(text, from: offset &+ length, inCharacters: inCharacters))
  }
}
