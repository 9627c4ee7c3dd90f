import CRAC

extension SignalProtocol where Value: AdditiveArithmetic {
  /// Adds the values up, and sends the sum when the source completes; zero if there were none.
  ///
  ///     source  --1--2--3--|
  ///     sum     -----------(6|)
  ///
  /// Integers fail when the sum is beyond the type; a sum in between may be, unless they are UInt64
  /// or larger. Double and Float are summed with compensation for rounding (Neumaier).
  public func sum() -> Signal<Value> {
    // One for all numbers: of one for integers and one for others the type checker tries both in
    // every chain.
    let isNumber = Value.self == Double.self || Value.self == Float.self
    let isSigned = isInteger(Value.self) && Value.self != UInt64.self && Value.self != UInt.self
    guard isNumber || isSigned else { return reduce(.zero) { try adding($0, $1) } }
    let source = signal
    return withExtendedLifetime(source) {
      converting(rac_signal_sum(source.pointer)) { value in
        if let sum: Value = decode(value) { return sum }
        // The engine's empty sum is an integer.
        guard isNumber else { throw beyondRange(Value.self) }
        return .zero
      }
    }
  }
}

private func adding<T: AdditiveArithmetic>(_ sum: T, _ value: T) throws -> T {
  guard let sum = sum as? any FixedWidthInteger else { return sum + value }
  return try addingChecked(sum, value)
}

private func addingChecked<I: FixedWidthInteger, T>(_ sum: I, _ value: T) throws -> T {
  guard let value = value as? I else { throw beyondRange(T.self) }
  let (result, isBeyond) = sum.addingReportingOverflow(value)
  guard !isBeyond, let result = result as? T else { throw beyondRange(T.self) }
  return result
}

private func beyondRange<T>(_ type: T.Type) -> EngineError {
  EngineError(domain: "rac", code: Int(RAC_ERANGE), message: "the sum is beyond \(type)")
}

extension SignalProtocol where Value: FixedWidthInteger {
  /// Sends the mean of all values when the source completes; nothing if there were none.
  ///
  ///     source   --1--2--6--|
  ///     average  -----------(3|)
  ///
  /// For the mean of the last few there is `rollingMean(over:)`.
  public func average() -> Signal<Double> { map { Double($0) }.averaged() }
}

extension SignalProtocol where Value: BinaryFloatingPoint {
  /// Sends the mean of all values when the source completes; nothing if there were none.
  ///
  ///     source   --1--2--6--|
  ///     average  -----------(3|)
  public func average() -> Signal<Double> { map { Double($0) }.averaged() }
}

extension SignalProtocol<Double> {
  fileprivate func averaged() -> Signal<Double> { derive { rac_signal_average($0) } }
}

extension SignalProtocol where Value: Comparable {
  /// Sends the least value when the source completes; nothing if there were none.
  ///
  ///     source  --3--1--2--|
  ///     min     -----------(1|)
  public func min() -> Signal<Value> {
    isOrderedByEngine(Value.self) ? derive { rac_signal_min($0, nil, nil, nil) } : min { $0 < $1 }
  }

  /// Sends the greatest value when the source completes; nothing if there were none.
  ///
  ///     source  --1--3--2--|
  ///     max     -----------(3|)
  public func max() -> Signal<Value> {
    isOrderedByEngine(Value.self) ? derive { rac_signal_max($0, nil, nil, nil) } : max { $0 < $1 }
  }
}

extension SignalProtocol {
  /// Sends the least value when the source completes, as a closure orders them; nothing if there
  /// were none.
  ///
  ///     source                       --x--y--z--|   x: ccc, y: a, z: bb
  ///     min { $0.count < $1.count }  -----------(y|)
  ///
  /// The closure says whether its first value is less than its second. Of equal values it is the
  /// first. An error that it throws ends the stream.
  public func min(
    by areInIncreasingOrder: @escaping @Sendable (Value, Value) throws -> Bool
  ) -> Signal<Value> {
    derive {
      rac_signal_min(
        $0, ordering(by: areInIncreasingOrder).passed, CompareContext.call, CompareContext.release)
    }
  }

  /// Sends the greatest value when the source completes, as a closure orders them; nothing if there
  /// were none.
  ///
  ///     source                       --x--y--z--|   x: a, y: ccc, z: bb
  ///     max { $0.count < $1.count }  -----------(y|)
  ///
  /// The closure says whether its first value is less than its second, as for ``min(by:)``. Of
  /// equal values it is the first. An error that it throws ends the stream.
  public func max(
    by areInIncreasingOrder: @escaping @Sendable (Value, Value) throws -> Bool
  ) -> Signal<Value> {
    derive {
      rac_signal_max(
        $0, ordering(by: areInIncreasingOrder).passed, CompareContext.call, CompareContext.release)
    }
  }
}

private func ordering<T>(
  by isLess: @escaping @Sendable (T, T) throws -> Bool
) -> CompareContext {
  CompareContext { value, other, out in
    guard let a: T = decode(value) else { return raiseMismatch(value, T.self) }
    guard let b: T = decode(other) else { return raiseMismatch(other, T.self) }
    do {
      out.pointee = try isLess(a, b) ? -1 : isLess(b, a) ? 1 : 0
      return 0
    } catch {
      return raise(error)
    }
  }
}

/// Unsigned integers of 64 bits travel as the signed ones with their bits.
private func isOrderedByEngine<T>(_ type: T.Type) -> Bool {
  isInteger(type) && type != UInt64.self && type != UInt.self || type == Double.self
}
