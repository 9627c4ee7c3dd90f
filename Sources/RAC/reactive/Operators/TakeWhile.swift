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
@c public func rac_signal_take_while(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, predicate, destroy) { $0.take(untilAnswer: false, $1, $2) }
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
@c public func rac_signal_take_until_predicate(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, predicate, destroy) { $0.take(untilAnswer: true, $1, $2) }
}

/// Passes values until `predicate` says true; then completes, after that value.
///
///     source     --1--2--3--1--|
///     until == 3 --1--2--(3|)
///
/// rac_signal_take_until_predicate() leaves that value out.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; a failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: takeWhile, inclusive. Since: 0.1
@c public func rac_signal_take_until_inclusive(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, predicate, destroy) {
    $0.take(untilAnswer: true, inclusive: true, $1, $2)
  }
}

extension Signal {
  /// Passes values until `predicate` answers `end`; that value as well if it is to be inclusive.
  @inline(never)
  func take(
    untilAnswer end: Bool, inclusive: Bool = false, _ context: Context,
    _ predicate: @escaping rac_predicate_fn
  ) -> Signal {
    lift(
      inclusive ? "takeUntilInclusive:" : end ? "takeUntilBlock:" : "takeWhileBlock:",
      TakeWhileStep(untilAnswer: end, inclusive, context, predicate))
  }
}

/// State: whether it has ended.
private final class TakeWhileStep: RowStep {
  private let end: Bool
  private let isInclusive: Bool
  private let predicate: rac_predicate_fn

  init(
    untilAnswer end: Bool, _ isInclusive: Bool, _ context: Context,
    _ predicate: @escaping rac_predicate_fn
  ) {
    self.end = end
    self.isInclusive = isInclusive
    self.predicate = predicate
    super.init(context, state: .bool(false))
  }

  override func next(_ value: Value, at place: RowPlace) -> Value? {
    if place.flag { return nil }
    var answer = false
    let status = predicate(pointer, value, &answer)
    let hasFailed = Callback.hasFailed(status)
    if !hasFailed && answer != end { return value }
    // First: values that come while this one is delivered are dropped.
    place.flag = true
    if hasFailed {
      place.fail(status)
    } else {
      if isInclusive { place.send(value) }
      place.complete()
    }
    return nil
  }

  override func error(_ error: Value, at place: RowPlace) -> Bool { ends(at: place) }
  override func completed(at place: RowPlace) -> Bool { ends(at: place) }

  private func ends(at place: RowPlace) -> Bool {
    defer { place.flag = true }
    return !place.flag
  }
}
