/// Passes on the signal that sends something first, be it an end, and leaves the others.
///
///     a     -----1--2--|
///     b     --7-----8--9--|
///     race  --7-----8--9--|
///
/// They are subscribed to in their order; one that sends at once has won before the next is.
///
/// - Parameter signals: borrowed array of borrowed signals; may be NULL with count 0.
/// - Parameter count: how many; 0 makes a signal that completes at once.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: race, amb. Since: 0.1
@c public func rac_signal_race(_ signals: CList<CSignal?>?, _ count: CSize) -> CSignal? {
  Border.derive(signals, count) { signals in
    Signal.combine("race:", signals) { RaceCore($0) }
  }
}

private final class RaceCore: CombiningCore {
  private var racing: [Scope] = []
  private var winner: Int?

  override func willBegin(_ inputs: [Input]) { racing = inputs.map { $0.scope } }

  override func next(_ input: Input?, _ value: Value) {
    if wins(input) { downstream.next(value) }
  }

  override func error(_ input: Input?, _ error: Value) {
    if wins(input) { end(error: error) }
  }

  override func completed(_ input: Input?) {
    if wins(input) { endCompleted() }
  }

  /// Whether the event counts. The first one disposes the other signals.
  private func wins(_ input: Input?) -> Bool {
    guard let position = input?.position else { return false }
    if let winner { return winner == position }
    winner = position
    let others = racing
    racing = []
    var other = 0
    for scope in others {
      if other != position { scope.close() }
      other &+= 1
    }
    return true
  }
}
