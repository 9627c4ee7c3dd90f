extension Duration {
  /// As C has it; what it cannot express is as long as can be.
  @usableFromInline
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  /// To the nanosecond, which is what the engine counts in.
  init(seconds: Double) { self = .nanoseconds(Int64((seconds * 1e9).rounded())) }
}
