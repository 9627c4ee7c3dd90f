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
@c public func rac_signal_sample(_ source: CSignal?, _ sampler: CSignal?) -> CSignal? {
  Border.derive(source, sampler) { $0.sample($1) }
}

/// rac_signal_sample() that sends no value twice: nothing when none has come since the last time.
///
///     source          --1--2-----3-----|
///     sampler         -x-----x-x---x-|
///     sample_when_new -------2-----3-|
///
/// - Parameter source: borrowed; subscribed first.
/// - Parameter sampler: borrowed; its values do not matter.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: sample, sampleTime. Since: 0.1
@c public func rac_signal_sample_when_new(_ source: CSignal?, _ sampler: CSignal?) -> CSignal? {
  Border.derive(source, sampler) { $0.sample($1, repeating: false) }
}

extension Signal {
  func sample(_ sampler: Signal, repeating: Bool = true) -> Signal {
    Signal.combine("sample:", [self, sampler], named: self) { SampleCore(repeating, $0) }
  }
}

private final class SampleCore: CombiningCore {
  private static let source = 0
  private let repeats: Bool
  private var latest: Value?

  init(_ repeats: Bool, _ downstream: Sink) {
    self.repeats = repeats
    super.init(downstream)
  }

  deinit { latest?.release() }

  /// A value between two samples replaces the one before.
  override func holds(at input: Input?, _ question: Question) -> Bool { false }

  override func next(_ input: Input?, _ value: Value) {
    if input?.position == SampleCore.source {
      let old = latest
      latest = value.retained()
      old?.release()
    } else if let value = latest {
      if !repeats { latest = nil }
      downstream.next(value)
      if !repeats { value.release() }
    }
  }

  override func completed(_ input: Input?) { endCompleted() }

  override func visit(_ visitor: inout Visitor) { visitor.value(latest) }
}
