import CRAC

extension SignalProtocol {
  /// Sends the values that `isIncluded` says yes to; when it throws, the signal fails with that
  /// error.
  ///
  ///     source         --1--2--3--4--|
  ///     filter { even} -----2-----4--|
  ///
  /// RAC: -filter:.
  @inlinable @inline(__always)
  public func filter(_ isIncluded: @escaping @Sendable (Value) throws -> Bool) -> Signal<Value> {
    derive {
      rac_signal_filter(
        $0, testing(isIncluded).passed, PredicateContext.call, PredicateContext.release)
    }
  }
}

/// The context of whatever says yes or no to a value.
@inlinable @inline(__always)
func testing<Input>(_ test: @escaping @Sendable (Input) throws -> Bool) -> PredicateContext {
  PredicateContext { value, out in
    guard let input: Input = decode(value) else { return raiseMismatch(value, Input.self) }
    do {
      out.pointee = try test(input)
      return 0
    } catch {
      return raise(error)
    }
  }
}
