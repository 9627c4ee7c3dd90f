/// Passes everything until `trigger` sends a value or completes; then completes.
///
///     source     --1--2--3--|
///     trigger    -------x
///     take_until --1--2-|
///
/// - Parameter source: borrowed.
/// - Parameter trigger: borrowed; subscribed first; its error is ignored.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -takeUntil:. Rx: takeUntil. Since: 0.1
@c public func rac_signal_take_until(_ source: CSignal?, _ trigger: CSignal?) -> CSignal? {
  Border.derive(source, trigger) { source, trigger in
    Signal.combine("takeUntil:", [trigger, source], named: source) { TakeUntilCore($0) }
  }
}

private final class TakeUntilCore: CombiningCore {
  private static let trigger = 0

  override func holds(at input: Input?, _ question: Question) -> Bool {
    input?.position != TakeUntilCore.trigger && downstream.holds(question)
  }

  override func next(_ input: Input?, _ value: Value) {
    if input?.position == TakeUntilCore.trigger { endCompleted() } else { downstream.next(value) }
  }

  override func error(_ input: Input?, _ error: Value) {
    if input?.position != TakeUntilCore.trigger { end(error: error) }
  }

  override func completed(_ input: Input?) { endCompleted() }
}
