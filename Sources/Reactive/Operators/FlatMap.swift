import CRAC

extension SignalProtocol {
  /// Sends the values of the signals that `transform` makes of each value, as they come.
  ///
  ///     source      --1------2--|
  ///     x -> -x-x|  ---1-1----2-2|
  ///
  /// A closure that has a `Subject` or a `Property` gives its `signal`.
  ///
  /// RAC: -flattenMap:. Combine: flatMap.
  @inlinable @inline(__always)
  public func flatMap<T: Sendable>(
    _ transform: @escaping @Sendable (Value) throws -> Signal<T>
  ) -> Signal<T> {
    derive {
      rac_signal_flatten_map(
        $0, flattening(transform).passed, SignalContext.call, SignalContext.release)
    }
  }
}

/// The context of whatever makes a signal of a value.
@inlinable @inline(__always)
func flattening<Input, S: SignalProtocol>(
  _ transform: @escaping @Sendable (Input) throws -> S
) -> SignalContext {
  SignalContext { value, out in
    guard let input: Input = decode(value) else { return raiseMismatch(value, Input.self) }
    do {
      out.pointee = handOver(try transform(input))
      return 0
    } catch {
      return raise(error)
    }
  }
}

/// A reference to the signal, for a callback that gives one to the engine.
@inlinable @inline(__always)
func handOver<S: SignalProtocol>(_ source: S) -> OpaquePointer? {
  // A `Signal` as it is: `signal` would make of a constant what is taken from it at once.
  (source as? Signal<S.Value> ?? source.signal).retainedPointer()
}
