/// Sequences as values.
extension Value {
  /// A value that owns one reference to the sequence.
  static func sequence(_ sequence: ValueSequence) -> Value {
    Value(
      Kind.sequence, flags: Flag.counted, length: Process.number,
      pointer: UnsafeRawPointer(Unmanaged.passRetained(sequence).toOpaque()))
  }

  var asSequence: ValueSequence? {
    guard kind == Kind.sequence, length == Process.number, let address else { return nil }
    return Unmanaged<ValueSequence>.fromOpaque(address).takeUnretainedValue()
  }
}
