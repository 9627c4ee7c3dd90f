/// Sends whether a value came that `predicate` says yes to, and completes as soon as that is known.
///
///     source  --1--2--3--|
///     any > 1 -----true|
///     any > 9 -----------false|
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
@_cdecl("rac_signal_any")
public func rac_signal_any(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_any") else { return nil }
  return Border.derive(source, "rac_signal_any") { $0.any(context, predicate) }
}

/// Sends whether `predicate` says yes to all values, and completes as soon as that is known.
///
///     source  --1--2--3--|
///     all < 9 -----------true|
///     all < 2 -----false|
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
@_cdecl("rac_signal_all")
public func rac_signal_all(
  _ source: CSignal?, _ context: CContext?, _ predicate: rac_predicate_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_all") else { return nil }
  return Border.derive(source, predicate, "rac_signal_all") { $0.all(context, $1) }
}

extension Signal {
  func any(_ context: Context, _ predicate: rac_predicate_fn?) -> Signal {
    lift("any:", holding: context) { VerdictSink(decidedBy: true, Closure(context, predicate), $0) }
  }

  func all(_ context: Context, _ predicate: @escaping rac_predicate_fn) -> Signal {
    lift("all:", holding: context) {
      VerdictSink(decidedBy: false, Closure(context, predicate), $0)
    }
  }
}

private final class VerdictSink: Stage {
  private let decisive: Bool
  private let predicate: Closure<rac_predicate_fn?>
  private var hasEnded = false

  init(decidedBy decisive: Bool, _ predicate: Closure<rac_predicate_fn?>, _ downstream: Sink) {
    self.decisive = decisive
    self.predicate = predicate
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard scope.isActive, !hasEnded else { return }
    var answer = true
    if let ask = predicate.function {
      answer = false
      let status = ask(predicate.pointer, value, &answer)
      if Callback.hasFailed(status) { return end(with: status) }
    }
    if answer == decisive { decide(decisive) }
  }

  override func error(_ error: Value) { decide(false) }
  override func completed() { decide(!decisive) }

  private func decide(_ verdict: Bool) {
    if hasEnded { return }
    hasEnded = true
    downstream.next(.bool(verdict))
    downstream.completed()
  }

  /// The callback's own failure is no verdict.
  private func end(with status: rac_status) {
    hasEnded = true
    let error = Callback.error(from: status)
    downstream.error(error)
    error.release()
  }

  override func visit(_ visitor: inout Visitor) {
    super.visit(&visitor)
    visitor.reference(predicate.context)
  }
}
