/// Passes the source until `replacement` sends anything; from then on only what the replacement
/// sends.
///
///     source      --1--2--3--4--
///     replacement --------8--9--|
///     result      --1--2--8--9--|
///
/// The source is disposed then. Before, its completion is no end, but its error is.
///
/// - Parameter source: borrowed.
/// - Parameter replacement: borrowed; subscribed first; each of its events takes over, an end as
///   well.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -takeUntilReplacement:. Since: 0.1
@c public func rac_signal_take_until_replacement(_ source: CSignal?, _ replacement: CSignal?)
  -> CSignal?
{
  Border.derive(source, replacement) { source, replacement in
    Signal.combine("takeUntilReplacement:", [replacement, source], named: source) {
      TakeUntilReplacementCore($0)
    }
  }
}

private final class TakeUntilReplacementCore: CombiningCore {
  private static let replacement = 0
  /// The scope to dispose when the replacement comes; nil after that.
  private var replaced: Scope?

  override func willBegin(_ inputs: [Input]) { replaced = inputs[1].scope }

  private func replace() { replaced.take()?.close() }

  override func next(_ input: Input?, _ value: Value) {
    if input?.position == TakeUntilReplacementCore.replacement {
      replace()
    } else if replaced == nil {
      return
    }
    downstream.next(value)
  }

  override func error(_ input: Input?, _ error: Value) {
    let isSource = input?.position != TakeUntilReplacementCore.replacement
    if isSource && replaced == nil { return }
    replace()
    end(error: error)
  }

  override func completed(_ input: Input?) {
    guard input?.position == TakeUntilReplacementCore.replacement else { return }
    replace()
    endCompleted()
  }
}
