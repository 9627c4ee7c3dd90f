import CRAC

extension SignalProtocol {
  /// Sends every value, and the values of the signal that `transform` makes of it, of each of which
  /// it makes another signal, and so on.
  ///
  ///     source             --1---------|
  ///     x -> ----y, x + 1  --1---2---3--
  ///
  /// It completes when the source and all signals have; an error of any ends it. `prefix` bounds
  /// one that goes on for ever. Rx: expand.
  @inlinable
  public func expand(
    _ transform: @escaping @Sendable (Value) throws -> Signal<Value>
  ) -> Signal<Value> {
    derive {
      rac_signal_expand($0, flattening(transform).passed, SignalContext.call, SignalContext.release)
    }
  }
}
