/// Sends whether a value came that `predicate` says yes to, and completes as soon as that is known.
///
///     source  --1--2--3--|
///     any > 1 -----(t|)          t: true, f: false
///     any > 9 -----------(f|)
///
/// An error counts as an end without such a value: false.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; NULL says yes to every value. A failure ends
///   the stream with an error.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -any, -any:. Rx: any. Since: 0.1
@c public func rac_signal_any(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy) else { return nil }
  return Border.derive(source) { source in
    source.lift("any:", holding: context) { VerdictSink(decidedBy: true, context, predicate, $0) }
  }
}

/// Sends whether `predicate` says yes to all values, and completes as soon as that is known.
///
///     source  --1--2--3--|
///     all < 9 -----------(t|)   t: true, f: false
///     all < 2 -----(f|)
///
/// An error counts as false.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter predicate: writes its answer to `*out`; a failure ends the stream with an error.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -all:. Rx: all. Since: 0.1
@c public func rac_signal_all(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, predicate, destroy) { source, context, predicate in
    source.lift("all:", holding: context) { VerdictSink(decidedBy: false, context, predicate, $0) }
  }
}

private final class VerdictSink: CallbackStage {
  private let decisive: Bool
  private let predicate: rac_predicate_fn?

  init(
    decidedBy decisive: Bool, _ context: Context, _ predicate: rac_predicate_fn?,
    _ downstream: Sink
  ) {
    self.decisive = decisive
    self.predicate = predicate
    super.init(context, downstream)
  }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    var answer = true
    if let predicate {
      answer = false
      let status = predicate(pointer, value, &answer)
      if Callback.hasFailed(status) {
        // The callback's own failure is no verdict.
        return downstream.error(owned: Callback.error(from: status))
      }
    }
    if answer == decisive { decide(decisive) }
  }

  override func error(_ error: Value) { decide(false) }
  override func completed() { decide(!decisive) }

  private func decide(_ verdict: Bool) {
    guard scope.isActive else { return }
    downstream.next(.bool(verdict))
    downstream.completed()
  }
}
