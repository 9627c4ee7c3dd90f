extension Duration {
  /// As C has it.
  @usableFromInline
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
