extension Signal {
  /// Sends the latest value whenever `sampler` sends one; again the same if none has come meanwhile.
  ///
  /// ```
  /// source  --1--2-----3-----|
  /// sampler -x-----x-x---x-|
  /// sample  -------2-2---3-|
  /// ```
  /// Either end is the end. C: rac_signal_sample. RAC: -sample:
  func sample(_ sampler: Signal) -> Signal {
    Signal.combine("sample:", [self, sampler], named: self) { SampleCore($0) }
  }
}

private final class SampleCore: CombiningCore {
  private static let source = 0
  private var latest: Value?

  deinit { latest?.release() }

  override func next(_ input: Input?, _ value: Value) {
    if input?.position == SampleCore.source {
      let old = latest
      latest = value.retained()
      old?.release()
    } else if let latest {
      downstream.next(latest)
    }
  }

  override func completed(_ input: Input?) { endCompleted() }
}
