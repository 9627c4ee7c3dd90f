/// Pairs each value of the source with the latest one of another signal, as a tuple of two; drops
/// the values that come before it.
///
///     source --1-----2--3--|
///     other  ----x--------y--z
///     result --------a--b--|   a: (2,x), b: (3,x)
///
/// The end of the source is the end; the other one's completion changes nothing. An error of either
/// is one of the result.
///
/// - Parameter source: borrowed.
/// - Parameter other: borrowed; subscribed first.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: none. Rx: withLatestFrom. Since: 0.1
@c public func rac_signal_with_latest_from(_ source: CSignal?, _ other: CSignal?) -> CSignal? {
  Border.derive(source, other) { source, other in
    Signal.combine("withLatestFrom:", [other, source], named: source) { WithLatestFromCore($0) }
  }
}

private final class WithLatestFromCore: CombiningCore {
  private static let other = 0
  @exclusivity(unchecked) private var pair = ReusedTuple(2)
  @exclusivity(unchecked) private var hasLatest = false

  override func holds(at input: Input?, _ question: Question) -> Bool {
    input?.position != WithLatestFromCore.other && downstream.holds(question)
  }

  override func next(_ input: Input?, _ value: Value) {
    pair.prepare(keeping: true)
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

  override func visit(_ visitor: inout Visitor) { pair.visit(&visitor) }
}
