import CRAC

extension SignalProtocol {
  /// Sends the values of the signals that `transform` makes of each value, as they come.
  ///
  /// RAC: -flattenMap:. Combine: flatMap.
  @inlinable
  public func flatMap<S: SignalProtocol>(
    _ transform: @escaping @Sendable (Value) throws -> S
  ) -> Signal<S.Value> {
    derive {
      rac_signal_flatten_map(
        $0, flattening(transform).passed, SignalContext.call, SignalContext.release)
    }
  }
}

/// The context of whatever makes a signal of a value.
@inlinable
func flattening<Input, S: SignalProtocol>(
  _ transform: @escaping @Sendable (Input) throws -> S
) -> SignalContext {
  SignalContext { value, out in
    guard let input: Input = decode(value) else { return raiseMismatch(value, Input.self) }
    do {
      out.pointee = try transform(input).signal.retainedPointer()
      return 0
    } catch {
      return raise(error)
    }
  }
}
