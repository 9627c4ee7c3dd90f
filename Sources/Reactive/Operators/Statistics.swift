import CRAC

extension SignalProtocol where Value: FixedWidthInteger {
  /// Adds the values up, and sends the sum when the source completes; 0 if there were none.
  ///
  ///     source  --1--2--3--|
  ///     sum     -----------(6|)
  ///
  /// Fails when the sum is beyond the type; in between it may be.
  public func sum() -> Signal<Value> {
    if Value.self == UInt64.self || Value.self == UInt.self { return summed() }
    let source = signal
    return withExtendedLifetime(source) {
      converting(rac_signal_sum(source.pointer)) { value in
        guard let sum: Value = decode(value) else { throw beyondRange() }
        return sum
      }
    }
  }

  private func beyondRange() -> EngineError {
    EngineError(
      domain: "rac", code: Int(RAC_ERANGE), message: "the sum is beyond \(Value.self)")
  }

  /// These travel through the engine as the signed ones with their bits, which it would add up.
  private func summed() -> Signal<Value> {
    reduce(0) { sum, value in
      let (result, isBeyond) = sum.addingReportingOverflow(value)
      if isBeyond { throw beyondRange() }
      return result
    }
  }

  /// Sends the mean of all values when the source completes; nothing if there were none.
  ///
  ///     source   --1--2--6--|
  ///     average  -----------(3|)
  ///
  /// For the mean of the last few there is `rollingMean(over:)`.
  public func average() -> Signal<Double> { map { Double($0) }.averaged() }
}

extension SignalProtocol where Value: BinaryFloatingPoint {
  /// Adds the values up, and sends the sum when the source completes; 0 if there were none.
  ///
  ///     source  --1--2--3--|
  ///     sum     -----------(6|)
  ///
  /// What rounding loses is made up for (Neumaier).
  public func sum() -> Signal<Value> { map { Double($0) }.summed().map { Value($0) } }

  /// Sends the mean of all values when the source completes; nothing if there were none.
  ///
  ///     source   --1--2--6--|
  ///     average  -----------(3|)
  public func average() -> Signal<Double> { map { Double($0) }.averaged() }
}

extension SignalProtocol<Double> {
  /// The engine's empty sum is an integer.
  fileprivate func summed() -> Signal<Double> {
    let source = signal
    return withExtendedLifetime(source) {
      converting(rac_signal_sum(source.pointer)) { sum in
        if let number: Int = decode(sum) { return Double(number) }
        return try decoded(sum)
      }
    }
  }

  fileprivate func averaged() -> Signal<Double> { derive { rac_signal_average($0) } }
}

extension SignalProtocol where Value: Comparable {
  /// Sends the least value when the source completes; nothing if there were none.
  ///
  ///     source  --3--1--2--|
  ///     min     -----------(1|)
  public func min() -> Signal<Value> {
    isOrderedByEngine(Value.self) ? derive { rac_signal_min($0) } : min { $0 < $1 }
  }

  /// Sends the greatest value when the source completes; nothing if there were none.
  ///
  ///     source  --1--3--2--|
  ///     max     -----------(3|)
  public func max() -> Signal<Value> {
    isOrderedByEngine(Value.self) ? derive { rac_signal_max($0) } : max { $0 < $1 }
  }
}

extension SignalProtocol {
  /// Sends the least value when the source completes, as a closure orders them; nothing if there were none.
  ///
  ///     source                       --ccc--a--bb--|
  ///     min { $0.count < $1.count }  --------------(a|)
  ///
  /// The closure says whether its first value is less than its second. Of equal values it is the first. What it
  /// throws ends the stream.
  public func min(
    by areInIncreasingOrder: @escaping @Sendable (Value, Value) throws -> Bool
  ) -> Signal<Value> {
    derive {
      rac_signal_min_with_comparer(
        $0, ordering(by: areInIncreasingOrder).passed, CompareContext.call, CompareContext.release)
    }
  }

  /// Sends the greatest value when the source completes, as a closure orders them; nothing if there were none.
  ///
  ///     source                       --a--ccc--bb--|
  ///     max { $0.count < $1.count }  --------------(ccc|)
  ///
  /// The closure says whether its first value is less than its second, as for ``min(by:)``. Of equal values it is
  /// the first. What it throws ends the stream.
  public func max(
    by areInIncreasingOrder: @escaping @Sendable (Value, Value) throws -> Bool
  ) -> Signal<Value> {
    derive {
      rac_signal_max_with_comparer(
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
