/// Sends each value with the one before it, as a tuple of the two; nothing for the first.
///
///     source   --1--2-----3-----|
///     pairwise -----a-----b-----|   a: (1,2), b: (2,3)
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: pairwise. Since: 0.1
@c public func rac_signal_pairwise(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { source in
    source.lift("pairwise") { PairwiseSink($0) }
  }
}

private final class PairwiseSink: Stage {
  private var previous: Value?
  private var pair = ReusedTuple(2)

  deinit { previous?.release() }

  override func next(_ value: Value) {
    let old = previous
    previous = value.retained()
    guard let old else { return }
    pair.prepare(keeping: false)
    pair.set(0, old)
    pair.set(1, value.retained())
    downstream.next(pair.value)
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.value(previous)
    pair.visit(&visitor)
  }
}
