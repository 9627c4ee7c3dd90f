import CRAC

extension SignalProtocol {
  /// Sends the first values of both, then the second ones, and so on.
  ///
  ///     source      --1--2------3--|
  ///     other       ----x-----y--------|
  ///     zip(with:)  ----c-----d--------|   c: (1,x), d: (2,y)
  ///
  /// RAC: -zipWith:.
  public func zip<Other: SignalProtocol>(with other: Other) -> Signal<(Value, Other.Value)> {
    let source = signal
    let other = other.signal
    return withExtendedLifetime((source, other)) {
      converting(rac_signal_zip_with(source.pointer, other.pointer)) {
        (try part(of: $0, 0), try part(of: $0, 1))
      }
    }
  }
}
