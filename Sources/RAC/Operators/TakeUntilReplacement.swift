extension Signal {
  /// Passes the source's values until `replacement` sends anything, and from then on only that.
  ///
  /// ```
  /// source      --1--2--3--4--
  /// replacement --------8--9--|
  /// result      --1--2--8--9--|
  /// ```
  /// The replacement is subscribed first. The source's completion is no end, its error is one.
  /// C: rac_signal_take_until_replacement. RAC: -takeUntilReplacement:
  func takeUntilReplacement(_ replacement: Signal) -> Signal {
    Signal.combine("takeUntilReplacement:", [replacement, self], named: self) {
      TakeUntilReplacementCore($0)
    }
  }
}

private final class TakeUntilReplacementCore: CombiningCore {
  private static let replacement = 0
  /// What is left to dispose when the replacement comes; nil after that.
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
