/// Sends what any of the signals sends, as it comes; completes when all have, fails with the first.
///
///     a     --1-----3--|
///     b     ----2--|
///     merge --1-2---3--|
///
/// - Parameter signals: borrowed array of borrowed signals; may be NULL with count 0.
/// - Parameter count: how many; 0 makes a signal that completes at once.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: +merge:. Rx: merge. Since: 0.1
@c public func rac_signal_merge(_ signals: CList<CSignal?>?, _ count: CSize) -> CSignal? {
  Border.derive(signals, count) { Signal.merge($0) }
}

/// rac_signal_merge() of two.
///
///     source     --1-----3--|
///     other      ----2--|
///     merge_with --1-2---3--|
///
/// - Parameter source: borrowed.
/// - Parameter other: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -merge:. Rx: mergeWith. Since: 0.1
@c public func rac_signal_merge_with(_ source: CSignal?, _ other: CSignal?) -> CSignal? {
  Border.derive(source, other) { Signal.merge([$0, $1]) }
}

extension Signal {
  static func merge(_ signals: [Signal]) -> Signal {
    let count = signals.count
    return combine("merge:", signals) { MergeCore(count, $0) }
  }

  static func mergeDelayingErrors(_ signals: [Signal]) -> Signal {
    let count = signals.count
    return combine("mergeDelayError:", signals, levels: 2) {
      MergeCore(count, HeldErrorSink($0))
    }
  }
}

class MergeCore: CombiningCore {
  private final var running: Int

  init(_ count: Int, _ downstream: Sink) {
    running = count
    super.init(downstream)
  }

  override final func next(_ input: Input?, _ value: Value) { downstream.next(value) }

  override final func error(_ input: Input?, _ error: Value) {
    guard let errors = downstream as? HeldErrorSink else { return end(error: error) }
    errors.hold(error)
    completed(input)
  }

  override final func completed(_ input: Input?) {
    running &-= 1
    if running == 0 { endCompleted() }
  }
}
