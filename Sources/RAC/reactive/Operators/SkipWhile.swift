/// Drops values while `predicate` says true; passes the first other one and all after it.
///
///     source    --1--2--3--1--|
///     while < 3 --------3--1--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; not called again after the first false. A
///   failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -skipWhileBlock:. Rx: skipWhile. Since: 0.1
@c public func rac_signal_skip_while(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, predicate, destroy) { $0.skip(untilAnswer: false, $1, $2) }
}

/// Drops values until `predicate` says true; passes that value and all after it.
///
///     source     --1--2--3--1--|
///     until == 3 --------3--1--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; not called again after the first true. A
///   failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -skipUntilBlock:. Since: 0.1
@c public func rac_signal_skip_until_predicate(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, predicate, destroy) { $0.skip(untilAnswer: true, $1, $2) }
}

extension Signal {
  /// Drops values until `predicate` answers `begin`.
  @inline(never)
  func skip(
    untilAnswer begin: Bool, _ context: Context, _ predicate: @escaping rac_predicate_fn
  ) -> Signal {
    let operation: StaticString = begin ? "skipUntilBlock:" : "skipWhileBlock:"
    // State: whether it passes values now.
    return lift(operation, calling: context, state: .bool(false)) { pointer, value, place in
      if place.flag { return value }
      var answer = false
      let status = predicate(pointer, value, &answer)
      if Callback.hasFailed(status) {
        place.fail(status)
      } else if answer == begin {
        place.flag = true
        return value
      }
      return nil
    }
  }
}
