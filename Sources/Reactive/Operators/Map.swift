import CRAC

extension SignalProtocol {
  /// Sends what `transform` makes of each value; when it throws, the signal fails with that error.
  ///
  ///     source          --1--2--3--|
  ///     map { 2 * $0 }  --2--4--6--|
  ///
  /// RAC: -map:, -tryMap:. Combine: map, tryMap.
  @inlinable @inline(__always)
  public func map<T: Sendable>(_ transform: @escaping @Sendable (Value) throws -> T) -> Signal<T> {
    derive {
      rac_signal_map($0, mapping(transform).passed, MapContext.call, MapContext.release)
    }
  }
}

/// The context of whatever makes a value of a value.
@inlinable @inline(__always)
func mapping<Input, Output>(_ transform: @escaping @Sendable (Input) throws -> Output) -> MapContext
{
  MapContext { value, out in
    guard let input: Input = decode(value) else { return raiseMismatch(value, Input.self) }
    do {
      out.pointee = encode(try transform(input))
      return 0
    } catch {
      return raise(error)
    }
  }
}
