extension Signal {
  /// Pairs each value of the source with the latest one of `other`; drops those that come before it.
  ///
  /// ```
  /// source --1-----2--3--|
  /// other  ----x--------y--z
  /// result --------2x-3x-|
  /// ```
  /// `other` is subscribed first; its completion changes nothing. C: rac_signal_with_latest_from.
  /// Not in RAC 2.5; Rx: withLatestFrom
  func withLatestFrom(_ other: Signal) -> Signal {
    Signal.combine("withLatestFrom:", [other, self], named: self) { WithLatestFromCore($0) }
  }
}

private final class WithLatestFromCore: CombiningCore {
  private static let other = 0
  private var pair = ReusedTuple(2)
  private var hasLatest = false

  deinit { pair.release() }

  override func next(_ input: Input?, _ value: Value) {
    guard pair.prepare(keeping: true) else { return failWithoutMemory() }
    if input?.position == WithLatestFromCore.other {
      pair.set(1, value.retained())
      hasLatest = true
    } else if hasLatest {
      pair.set(0, value.retained())
      downstream.next(pair.value)
    }
  }

  override func completed(_ input: Input?) {
    if input?.position != WithLatestFromCore.other { endCompleted() }
  }
}
