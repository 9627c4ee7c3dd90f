import CRAC

extension SignalProtocol {
  /// Sends the latest value whenever the sampler sends something; again the same if none has come
  /// meanwhile, nothing before the first.
  ///
  ///     source       --1--2-----3-----|
  ///     sampler      -x-----x-x---x-|
  ///     sample(on:)  -------2-2---3-|
  ///
  /// The end of either is the end. RAC: -sample:.
  public func sample<Sampler: SignalProtocol>(on sampler: Sampler) -> Signal<Value> {
    derive(with: sampler) { rac_signal_sample($0, $1) }
  }

  /// `sample` that sends no value twice: nothing when none has come since the last time.
  ///
  ///     source          --1--2-----3-----|
  ///     sampler         -x-----x-x---x-|
  ///     sampleNew(on:)  -------2-----3-|
  ///
  /// Rx: sample.
  public func sampleNew<Sampler: SignalProtocol>(on sampler: Sampler) -> Signal<Value> {
    derive(with: sampler) { rac_signal_sample_when_new($0, $1) }
  }
}
