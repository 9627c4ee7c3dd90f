import CRACShims

/// Sends a tuple of the first values, then of the second ones, and so on.
///
///     a   --1--2------3--|
///     b   ----x-----y--------|
///     zip ----c-----d--------|   c: (1,x), d: (2,y)
///
/// Completes when one completes that has nothing waiting, fails with the first. Values wait for the
/// signals that are behind: any number, but a source that can wait rests at a mark, see
/// rac_set_default_marks().
///
/// - Parameter signals: borrowed array of borrowed signals; may be NULL with count 0.
/// - Parameter count: how many; 0 makes a signal that completes at once.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: +zip:. Rx: zip. Since: 0.1
@c public func rac_signal_zip(_ signals: CList<CSignal?>?, _ count: CSize) -> CSignal? {
  Border.derive(signals, count) { Signal.zip($0) }
}

/// rac_signal_zip() of two.
///
///     source   --1--2------3--|
///     other    ----x-----y--------|
///     zip_with ----c-----d--------|   c: (1,x), d: (2,y)
///
/// - Parameter source: borrowed.
/// - Parameter other: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -zipWith:. Rx: zipWith. Since: 0.1
@c public func rac_signal_zip_with(_ source: CSignal?, _ other: CSignal?) -> CSignal? {
  Border.derive(source, other) { Signal.zip([$0, $1]) }
}

/// rac_signal_zip() with a callback that makes one value of those that belong together.
///
///     a     --1--2------3--|
///     b     ----3-----4--------|
///     zip + ----4-----6--------|
///
/// - Parameter signals: borrowed array of borrowed signals; may be NULL with count 0.
/// - Parameter count: how many; 0 makes a signal that completes at once.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets `count` values; writes an owned value to `*out`. A failure ends the
///   stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: +zip:reduce:. Rx: zip. Since: 0.1
@c public func rac_signal_zip_reduce(
  _ signals: CList<CSignal?>?, _ count: CSize, _ context: CContext?,
  _ reduce: rac_reduce_each_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy) else { return nil }
  guard let reduce else { return Border.fail(Status.null, "reduce is NULL") }
  return Border.derive(signals, count) { Signal.zip($0).reduceEach(context, reduce) }
}

extension Signal {
  static func zip(_ signals: [Signal]) -> Signal {
    let count = signals.count
    return combine("zip:", signals) { ZipCore(count, $0) }
  }
}

private final class ZipCore: CombiningCore {
  private struct Lane: ~Copyable {
    /// The values that wait.
    var line = MarkedLine(.zip)
    var isDone = false
  }

  private let count: Int
  private let lanes: UnsafeMutablePointer<Lane>
  /// Inputs without a value that waits.
  @exclusivity(unchecked) private var missing: Int
  @exclusivity(unchecked) private var row: ReusedTuple

  init(_ count: Int, _ downstream: Sink) {
    self.count = count
    lanes = rac_shim_allocate(count &* MemoryLayout<Lane>.stride).unsafelyUnwrapped
      .assumingMemoryBound(to: Lane.self)
    for at in Places(count) { (lanes + at).initialize(to: Lane()) }
    missing = count
    row = ReusedTuple(count)
    super.init(downstream)
  }

  deinit {
    lanes.deinitialize(count: count)
    rac_shim_free(lanes)
  }

  override func next(_ input: Input?, _ value: Value) {
    guard let position = input?.position else { return }
    lanes[position].line.append(value.retained())
    if lanes[position].line.count == 1 { missing &-= 1 }
    guard missing == 0 else { return }
    row.prepare(keeping: false)
    for at in Places(count) { row.set(at, popFirst(of: at)) }
    downstream.next(row.value)
    row.clear()
    endIfNothingCanFollow()
  }

  private func popFirst(of position: Int) -> Value {
    let value = lanes[position].line.popFirst() ?? .null
    if lanes[position].line.count == 0 { missing &+= 1 }
    return value
  }

  /// The lane that is ahead holds its own source.
  override func holds(at input: Input?, _ question: Question) -> Bool {
    if let position = input?.position, lanes[position].line.holds(question) { return true }
    return downstream.holds(question)
  }

  override func completed(_ input: Input?) {
    guard let position = input?.position else { return }
    lanes[position].isDone = true
    endIfNothingCanFollow()
  }

  private func endIfNothingCanFollow() {
    for at in Places(count) {
      if lanes[at].isDone && lanes[at].line.count == 0 { return endCompleted() }
    }
  }

  override func visit(_ visitor: inout Visitor) {
    row.visit(&visitor)
    for at in Places(count) { lanes[at].line.visit(&visitor) }
  }
}
