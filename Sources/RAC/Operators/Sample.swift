/// Sends the latest value of the source whenever the sampler sends one; again the same if none has
/// come meanwhile, nothing before the first.
///
///     source  --1--2-----3-----|
///     sampler -x-----x-x---x-|
///     sample  -------2-2---3-|
///
/// The end of either is the end.
///
/// - Parameter source: borrowed; subscribed first.
/// - Parameter sampler: borrowed; its values do not matter.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -sample:. Rx: sample. Since: 0.1
@_cdecl("rac_signal_sample")
public func rac_signal_sample(_ source: CSignal?, _ sampler: CSignal?) -> CSignal? {
  Border.derive(source, sampler, "rac_signal_sample") { $0.sample($1) }
}

extension Signal {
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
