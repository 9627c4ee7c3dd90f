/// rac_signal_merge() with a bound on the values that wait: those that one signal sends while
/// another's value is being delivered.
///
///     a               --1-----3--|
///     b               ----2--|
///     merge_bounded   --1-2---3--|
///
/// RAC_BOUND_ERROR: the waiting values are still sent, then the error. RAC_BOUND_WAIT and
/// RAC_BOUND_REFUSE hold back sources that can wait, and the senders of a subject, or of a
/// rac_signal_create_bounded(), that has the same bound; values that get here all the same are
/// taken.
///
/// - Parameter signals: borrowed array of borrowed signals; may be NULL with count 0.
/// - Parameter count: how many; 0 makes a signal that completes at once.
/// - Parameter bound: borrowed, retained. NULL, and RAC_BOUND_NONE: without a bound.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND; RAC_EBUSY when the bound
///   is in use elsewhere.
///
/// Rx: merge with onBackpressureBuffer, onBackpressureDrop, onBackpressureLatest. Since: 0.1
@c public func rac_signal_merge_bounded(
  _ signals: CList<CSignal?>?, _ count: CSize, _ bound: CBound?
) -> CSignal? {
  guard let signals = Border.signals(signals, count) else { return nil }
  guard let bound = Border.bound(bound) else { return nil }
  return Border.made(Border.give { Signal.merge(signals, bound) }, with: bound)
}

extension Signal {
  static func merge(_ signals: [Signal], _ bound: Bound?) -> Signal {
    guard let bound else { return merge(signals) }
    let count = signals.count
    return combine("merge:", signals) { BoundedMergeCore(count, $0, BoundedLine(bound)) }
  }
}

/// Its contended values wait in a line of its own.
private final class BoundedMergeCore: MergeCore {
  private let line: BoundedLine

  init(_ count: Int, _ downstream: Sink, _ line: BoundedLine) {
    self.line = line
    super.init(count, downstream)
    downstream.scope.add(line)
  }

  override var isBounded: Bool { true }

  override func divert(_ operation: Operation, _ object: Object?, _ value: Value) -> Diversion {
    line.divert(operation, object, value)
  }
  override func hasPosted() { line.hasPosted() }

  override func holds(at input: Input?, _ question: Question) -> Bool {
    line.holds(question) || downstream.holds(question)
  }

  override func fire(_ value: Value) {
    guard let held = line.takeNext() else { return }
    if held.isDue { apply(held.operation, held.object, held.value) }
    line.finish(held)
  }

  // The waiting operations hold inputs, which hold this.
  override func leaveOut(_ operation: Operation) {
    if operation == .fire, let held = line.takeNext() { line.finish(held) }
  }
}
