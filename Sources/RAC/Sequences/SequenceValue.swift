/// Sequences as values.
extension Value {
  /// A value that owns one reference to the sequence.
  static func sequence(_ sequence: ValueSequence) -> Value {
    Value(
      Kind.sequence, flags: Flag.counted,
      pointer: UnsafeRawPointer(Unmanaged.passRetained(sequence).toOpaque()))
  }

  var asSequence: ValueSequence? {
    guard kind == Kind.sequence, let address else { return nil }
    return Unmanaged<ValueSequence>.fromOpaque(address).takeUnretainedValue()
  }
}
