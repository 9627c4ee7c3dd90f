import CRACShims

/// Sends a tuple of the latest values whenever one of them changes, as soon as all have sent one.
///
///     a       --1-----2-----|
///     b       ----x------y--|
///     combine ----c---d--e--|   c: (1,x), d: (2,x), e: (2,y)
///
/// Completes when all have, fails with the first. Signals made of one source change one after the
/// other, and there is a tuple for each: docs/Operators.md has ways around that.
///
/// - Parameter signals: borrowed array of borrowed signals; may be NULL with count 0.
/// - Parameter count: how many; 0 makes a signal that completes at once.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: +combineLatest:. Rx: combineLatest. Since: 0.1
@c public func rac_signal_combine_latest(_ signals: CList<CSignal?>?, _ count: CSize)
  -> CSignal?
{
  Border.derive(signals, count) { Signal.combineLatest($0) }
}

/// rac_signal_combine_latest() of two.
///
///     source  --1-----2-----|
///     other   ----x------y--|
///     combine ----c---d--e--|   c: (1,x), d: (2,x), e: (2,y)
///
/// - Parameter source: borrowed.
/// - Parameter other: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -combineLatestWith:. Rx: combineLatestWith. Since: 0.1
@c public func rac_signal_combine_latest_with(_ source: CSignal?, _ other: CSignal?) -> CSignal? {
  Border.derive(source, other) { Signal.combineLatest([$0, $1]) }
}

/// rac_signal_combine_latest() with a callback that makes one value of the latest ones.
///
///     a         --1-----2-----|
///     b         ----3------4--|
///     combine + ----4---5--6--|
///
/// - Parameter signals: borrowed array of borrowed signals; may be NULL with count 0.
/// - Parameter count: how many; 0 makes a signal that completes at once.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets `count` values; writes an owned value to `*out`. A failure ends the
///   stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: +combineLatest:reduce:. Rx: combineLatest. Since: 0.1
@c public func rac_signal_combine_latest_reduce(
  _ signals: CList<CSignal?>?, _ count: CSize, _ context: CContext?,
  _ reduce: rac_reduce_each_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy) else { return nil }
  guard let reduce else { return Border.fail(Status.null, "reduce is NULL") }
  return Border.derive(signals, count) { Signal.combineLatest($0).reduceEach(context, reduce) }
}

extension Signal {
  static func combineLatest(_ signals: [Signal]) -> Signal {
    let count = signals.count
    return combine("combineLatest:", signals) { CombineLatestCore(count, $0) }
  }

  static func combineLatestDelayingErrors(_ signals: [Signal]) -> Signal {
    let count = signals.count
    return combine("combineLatestDelayError:", signals, levels: 2) {
      CombineLatestCore(count, HeldErrorSink($0))
    }
  }
}

private final class CombineLatestCore: CombiningCore {
  /// The latest value of each input.
  @exclusivity(unchecked) private var latest: ReusedTuple
  /// The inputs that have sent one.
  private let isFilled: UnsafeMutablePointer<Bool>
  @exclusivity(unchecked) private var missing: Int
  @exclusivity(unchecked) private var running: Int

  init(_ count: Int, _ downstream: Sink) {
    latest = ReusedTuple(count)
    isFilled = rac_shim_allocate(count).unsafelyUnwrapped.assumingMemoryBound(to: Bool.self)
    isFilled.initialize(repeating: false, count: count)
    missing = count
    running = count
    super.init(downstream)
  }

  deinit { rac_shim_free(isFilled) }

  override func next(_ input: Input?, _ value: Value) {
    guard let position = input?.position else { return }
    latest.prepare(keeping: true)
    latest.set(position, value.retained())
    if !isFilled[position] {
      isFilled[position] = true
      missing &-= 1
    }
    if missing == 0 { downstream.next(latest.value) }
  }

  override func error(_ input: Input?, _ error: Value) {
    guard let errors = downstream as? HeldErrorSink else { return end(error: error) }
    errors.hold(error)
    completed(input)
  }

  override func completed(_ input: Input?) {
    running &-= 1
    if running == 0 { endCompleted() }
  }

  override func visit(_ visitor: inout Visitor) { latest.visit(&visitor) }
}
