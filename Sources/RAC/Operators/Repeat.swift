extension Signal {
  /// Subscribes again whenever the source completes, for ever. An error ends it.
  /// C: rac_signal_repeat. RAC: -repeat
  func repeated() -> Signal { relay("repeat") { RepeatRelay(self, $0) } }

  /// Subscribes again when the source fails, at most `count` times; 0 means for ever.
  /// C: rac_signal_retry. RAC: -retry:
  func retry(_ count: Int) -> Signal { relay("retry:") { RetryRelay(self, count, $0) } }
}

private final class RepeatRelay: Relay {
  private let source: Signal

  init(_ source: Signal, _ downstream: Sink) {
    self.source = source
    super.init(downstream)
  }

  override func nextSource() -> Signal? { source }
}

private final class RetryRelay: Relay {
  private let source: Signal
  private let count: Int
  private var failures = 0

  init(_ source: Signal, _ count: Int, _ downstream: Sink) {
    self.source = source
    self.count = count
    super.init(downstream)
  }

  override func nextSource() -> Signal? { source }
  override func sourceCompleted() { downstream.completed() }

  override func sourceFailed(_ error: Value) {
    if count > 0 {
      if failures == count { return downstream.error(error) }
      failures &+= 1
    }
    advance()
  }
}
