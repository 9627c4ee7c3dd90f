/// Subscribes to the source again, at once, when it fails.
///
///     source  --1--#
///     retry 2 --1----1----1--#
///
/// A rac_signal_delay() before it makes no pause, as errors overtake it: a source that fails at
/// once is subscribed to as fast as the processor can. For a pause there is
/// rac_signal_retry_with_backoff(), or rac_signal_delay_subscription() before this, which waits
/// before the first try, too.
///
/// - Parameter source: borrowed.
/// - Parameter count: at most so many times; 0 means for ever.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -retry:. Rx: retry. Since: 0.1
@c public func rac_signal_retry(_ source: CSignal?, _ count: CSize) -> CSignal? {
  Border.derive(source) { $0.retry(Border.count(count)) }
}

extension Signal {
  func retry(_ count: Int) -> Signal { relay("retry:") { RetryRelay($0, count, $1) } }
}

class RetryRelay: RepeatingRelay {
  private final let count: Int
  final var failures = 0

  init(_ source: Signal, _ count: Int, _ downstream: Sink) {
    self.count = count
    super.init(source, downstream)
  }

  override final func sourceCompleted() { downstream.completed() }

  override func sourceFailed(_ error: Value) {
    if count > 0 {
      if failures == count { return downstream.error(error) }
      failures &+= 1
    }
    again()
  }

  /// After a failure.
  func again() { advance() }
}
