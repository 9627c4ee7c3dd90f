/// Passes values while `predicate` says true; completes at the first false, without that value.
///
///     source    --1--2--3--1--|
///     while < 3 --1--2--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; a failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -takeWhileBlock:. Rx: takeWhile. Since: 0.1
@_cdecl("rac_signal_take_while_block")
public func rac_signal_take_while_block(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_take_while_block") else {
    return nil
  }
  return Border.derive(source, predicate, "rac_signal_take_while_block") {
    $0.take(untilAnswer: false, context, $1)
  }
}

/// Passes values until `predicate` says true; then completes, without that value.
///
///     source     --1--2--3--1--|
///     until == 3 --1--2--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; a failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -takeUntilBlock:. Since: 0.1
@_cdecl("rac_signal_take_until_block")
public func rac_signal_take_until_block(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_take_until_block") else {
    return nil
  }
  return Border.derive(source, predicate, "rac_signal_take_until_block") {
    $0.take(untilAnswer: true, context, $1)
  }
}

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
  return Border.derive(source, predicate, function) {
    $0.take(untilAnswer: true, inclusive: true, context, $1)
  }
}

extension Signal {
  /// Passes values until `predicate` answers `end`; that value as well if it is to be inclusive.
  @inline(never)
  func take(
    untilAnswer end: Bool, inclusive: Bool = false, _ context: Context,
    _ predicate: @escaping rac_predicate_fn
  ) -> Signal {
    lift(inclusive ? "takeUntilInclusive:" : end ? "takeUntilBlock:" : "takeWhileBlock:") {
      TakeWhileSink(untilAnswer: end, inclusive, Closure(context, predicate), $0)
    }
  }
}

private final class TakeWhileSink: Stage {
  private let end: Bool
  private let isInclusive: Bool
  private let predicate: Closure<rac_predicate_fn>
  private var hasEnded = false

  init(
    untilAnswer end: Bool, _ isInclusive: Bool, _ predicate: Closure<rac_predicate_fn>,
    _ downstream: Sink
  ) {
    self.end = end
    self.isInclusive = isInclusive
    self.predicate = predicate
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard scope.isActive, !hasEnded else { return }
    var answer = false
    let status = predicate.function(predicate.pointer, value, &answer)
    if Callback.hasFailed(status) {
      fail(status)
    } else if answer == end {
      // First: what comes while the value is delivered is dropped.
      hasEnded = true
      if isInclusive { downstream.next(value) }
      downstream.completed()
    } else {
      downstream.next(value)
    }
  }

  override func error(_ error: Value) {
    if !hasEnded { downstream.error(error) }
    hasEnded = true
  }

  override func completed() {
    if hasEnded { return }
    hasEnded = true
    downstream.completed()
  }
}
