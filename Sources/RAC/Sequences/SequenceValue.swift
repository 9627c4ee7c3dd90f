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

  /// Sequences of sequences of sequences may be deep: they are let go of in a loop.
  @inline(never)
  func releaseSequence() {
    let sequence = Unmanaged<ValueSequence>.fromOpaque(address.unsafelyUnwrapped)
    sequence._withUnsafeGuaranteedRef { Reaper.keep($0) }
    sequence.drop()
    Reaper.run()
  }
}
