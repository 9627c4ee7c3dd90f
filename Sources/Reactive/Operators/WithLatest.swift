import CRAC

extension SignalProtocol {
  /// Sends each value with the latest one of another signal; drops the values that come before it.
  ///
  ///     source             --1-----2--3--|
  ///     other              ----x--------y--z
  ///     withLatest(from:)  --------a--b--|   a: (2,x), b: (3,x)
  ///
  /// The end of the source is the end; the other one's completion changes nothing, its error is the
  /// signal's.
  ///
  /// Rx: withLatestFrom.
  public func withLatest<Other: SignalProtocol>(
    from other: Other
  ) -> Signal<(Value, Other.Value)> {
    withLatest(from: other) { ($0, $1) }
  }

  /// Sends what `transform` makes of each value and the latest one of another signal.
  ///
  ///     source            --1-----2--3--|
  ///     other             ----8--------9--
  ///     withLatest { + }  --------a--b--|   a: 10, b: 11
  public func withLatest<Other: SignalProtocol, T: Sendable>(
    from other: Other, _ transform: @escaping @Sendable (Value, Other.Value) throws -> T
  ) -> Signal<T> {
    let source = signal
    let other = other.signal
    return withExtendedLifetime((source, other)) {
      converting(rac_signal_with_latest_from(source.pointer, other.pointer)) {
        try transform(try part(of: $0, 0), try part(of: $0, 1))
      }
    }
  }
}
