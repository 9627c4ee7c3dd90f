/// Passes values until `predicate` says true; then completes, after that value.
///
///     source     --1--2--3--1--|
///     until == 3 --1--2--3|
///
/// rac_signal_take_until_block() leaves that value out.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; a failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: takeWhile, inclusive. Since: 0.1
@_cdecl("rac_signal_take_until_inclusive")
public func rac_signal_take_until_inclusive(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  let function: StaticString = "rac_signal_take_until_inclusive"
  guard let context = Border.context(context, destroy, function) else { return nil }
  return Border.derive(source, predicate, function) { $0.takeUntilInclusive(context, $1) }
}

extension Signal {
  func takeUntilInclusive(_ context: Context, _ predicate: @escaping rac_predicate_fn) -> Signal {
    lift("takeUntilInclusive:") { TakeUntilInclusiveSink(Closure(context, predicate), $0) }
  }
}

private final class TakeUntilInclusiveSink: Stage {
  private let predicate: Closure<rac_predicate_fn>
  private var hasEnded = false

  init(_ predicate: Closure<rac_predicate_fn>, _ downstream: Sink) {
    self.predicate = predicate
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard scope.isActive, !hasEnded else { return }
    var isLast = false
    let status = predicate.function(predicate.pointer, value, &isLast)
    if Callback.hasFailed(status) { return fail(status) }
    hasEnded = isLast
    downstream.next(value)
    if isLast { downstream.completed() }
  }

  override func error(_ error: Value) {
    if !hasEnded { downstream.error(error) }
    hasEnded = true
  }

  override func completed() {
    if !hasEnded { downstream.completed() }
    hasEnded = true
  }
}
