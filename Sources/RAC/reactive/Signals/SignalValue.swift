/// Signals as values.
extension Value {
  /// A value that owns one reference to the signal.
  static func signal(_ signal: Signal) -> Value {
    Value(
      Kind.signal, flags: Flag.counted, length: Process.number,
      pointer: UnsafeRawPointer(Unmanaged.passRetained(signal).toOpaque()))
  }

  /// The same without a reference, for a call during which the signal is kept anyway.
  static func lent(_ signal: Signal) -> Value {
    Value(
      Kind.signal, flags: Flag.counted, length: Process.number,
      pointer: UnsafeRawPointer(Unmanaged.passUnretained(signal).toOpaque()))
  }

  var asSignal: Signal? { lentSignal?.takeUnretainedValue() }

  /// The same for as long as the value is lent.
  var lentSignal: Unmanaged<Signal>? {
    guard kind == Kind.signal, length == Process.number, let address else { return nil }
    return .fromOpaque(address)
  }
}
