extension Signal {
  /// Passes everything until `trigger` sends a value or completes; then completes.
  ///
  /// ```
  /// source  --1--2--3--|
  /// trigger -------x
  /// result  --1--2-|
  /// ```
  /// The trigger is subscribed first; its error is ignored. C: rac_signal_take_until.
  /// RAC: -takeUntil:
  func takeUntil(_ trigger: Signal) -> Signal {
    Signal.combine("takeUntil:", [trigger, self], named: self) { TakeUntilCore($0) }
  }
}

private final class TakeUntilCore: CombiningCore {
  private static let trigger = 0

  override func next(_ input: Input?, _ value: Value) {
    if input?.position == TakeUntilCore.trigger { endCompleted() } else { downstream.next(value) }
  }

  override func error(_ input: Input?, _ error: Value) {
    if input?.position != TakeUntilCore.trigger { end(error: error) }
  }

  override func completed(_ input: Input?) { endCompleted() }
}
