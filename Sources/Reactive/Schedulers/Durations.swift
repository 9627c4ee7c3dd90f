extension Duration {
  /// As C has it. Not by way of `components`, which traps where there are more than 2^63 seconds.
  @usableFromInline
  var seconds: Double { self / .seconds(1) }

  /// To the nanosecond, which is what the engine counts in; in centuries to what a number of
  /// seconds tells.
  init(seconds: Double) {
    let nanoseconds = (seconds * 1e9).rounded()
    if let exact = Int64(exactly: nanoseconds) {
      self = .nanoseconds(exact)
    } else {
      // A duration ends at 1.7e20 seconds, and knows no number that is none.
      self = .seconds(seconds.isNaN ? 0 : Swift.min(Swift.max(seconds, -1e20), 1e20))
    }
  }
}
