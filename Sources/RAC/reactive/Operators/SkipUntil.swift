/// Drops values until another signal sends one.
///
///     source     --1--2--3--4--|
///     trigger    -------x--x
///     skip_until --------3--4--|
///
/// Later values of the trigger do not matter, nor does its completion: one that completes without a
/// value lets nothing through, and the end of the source is the end. Its error is the stream's.
///
/// - Parameter source: borrowed.
/// - Parameter trigger: borrowed; subscribed to first.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: skipUntil. Since: 0.1
@c public func rac_signal_skip_until(_ source: CSignal?, _ trigger: CSignal?) -> CSignal? {
  Border.derive(source, trigger) { source, trigger in
    Signal.combine("skipUntil:", [trigger, source], named: source) { SkipUntilCore($0) }
  }
}

private final class SkipUntilCore: CombiningCore {
  /// The first input, subscribed to before the other.
  private static let trigger = 0
  /// nil once it has sent a value: then values pass.
  private var trigger: Scope?

  override func willBegin(_ inputs: [Input]) { trigger = inputs.first?.scope }

  override func holds(at input: Input?, _ question: Question) -> Bool {
    input?.position != SkipUntilCore.trigger && downstream.holds(question)
  }

  override func next(_ input: Input?, _ value: Value) {
    if input?.position != SkipUntilCore.trigger {
      if trigger == nil { downstream.next(value) }
      return
    }
    trigger.take()?.close()
  }

  override func completed(_ input: Input?) {
    if input?.position != SkipUntilCore.trigger { endCompleted() }
  }
}
