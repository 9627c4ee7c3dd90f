/// rac_signal_merge() that lets an error wait until the other signals have ended.
///
///     a     --1--#
///     b     ---2----3--|
///     merge --12----3--#
///
/// The first error is the stream's; further ones are dropped.
///
/// - Parameter signals: borrowed, the array as well; may be NULL when `count` is 0.
/// - Parameter count: how many.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND or RAC_ENOMEM.
///
/// Rx: mergeDelayError. Since: 0.1
@c public func rac_signal_merge_delay_error(_ signals: CList<CSignal?>?, _ count: CSize)
  -> CSignal?
{
  Border.derive(signals, count) { Signal.mergeDelayingErrors($0) }
}

/// rac_signal_combine_latest() that lets an error wait until the other signals have ended.
///
///     a              --1------#
///     b              ----2---------3--|
///     combine_latest ----c---------d--#   c: (1,2), d: (1,3)
///
/// A signal that failed counts as one that completed: its last value stays in the tuples. The first
/// error is the stream's; further ones are dropped.
///
/// - Parameter signals: borrowed, the array as well; may be NULL when `count` is 0.
/// - Parameter count: how many.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND or RAC_ENOMEM.
///
/// Rx: combineLatestDelayError. Since: 0.1
@c public func rac_signal_combine_latest_delay_error(
  _ signals: CList<CSignal?>?, _ count: CSize
) -> CSignal? {
  Border.derive(signals, count) { Signal.combineLatestDelayingErrors($0) }
}

/// rac_signal_concat_all() that goes on with the next signal after an error, and sends the error in
/// the end.
///
///     a      --1--#
///     b           --2--|
///     concat --1----2--#
///
/// The first error is the stream's; further ones are dropped.
///
/// - Parameter signals: borrowed, the array as well; may be NULL when `count` is 0.
/// - Parameter count: how many.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND or RAC_ENOMEM.
///
/// Rx: concatDelayError. Since: 0.1
@c public func rac_signal_concat_delay_error(_ signals: CList<CSignal?>?, _ count: CSize)
  -> CSignal?
{
  Border.derive(signals, count) { signals in
    guard let first = signals.first else { return EmptySignal().named("concatDelayError:") }
    var depth: Int32 = 0
    var others: Object?
    for signal in signals {
      depth = max(depth, signal.depth)
      if signal !== first { others = ContextPair.of(signal.contexts, others) }
    }
    let list = SignalList(signals)
    return first.relay("concatDelayError:", besides: depth, holding: list, and: others) {
      DelayingRelay(list.signals, HeldErrorSink($1))
    }
  }
}

/// Right below an operator that lets errors wait: sends the first one in place of the completion.
final class HeldErrorSink: Stage {
  private var held: Value?

  deinit { held?.release() }

  func hold(_ error: Value) {
    if held == nil { held = error.retained() }
  }

  override func completed() {
    if let held { downstream.error(held) } else { downstream.completed() }
  }

  override func visit(_ visitor: inout Visitor) { visitor.value(held) }
}

private final class DelayingRelay: ConcatRelay {
  /// A concatenation among them has an error of its own.
  override func nextSource() -> Signal? { left.popLast() }

  override func sourceFailed(_ error: Value) {
    unsafeDowncast(downstream, to: HeldErrorSink.self).hold(error)
    advance()
  }
}
