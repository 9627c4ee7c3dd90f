import CRAC

extension SignalProtocol {
  /// Sends what `transform` makes of the latest value of each, whenever one sends and both have.
  ///
  ///     source                --1-----2-----|
  ///     other                 ----3------4--|
  ///     combineLatest { + }   ----4---5--6--|
  ///
  /// RAC: +combineLatest:reduce:.
  @inlinable @inline(__always)
  public func combineLatest<Other: SignalProtocol, T: Sendable>(
    with other: Other, _ transform: @escaping @Sendable (Value, Other.Value) throws -> T
  ) -> Signal<T> {
    derive(with: other) { first, second in
      withUnsafeTemporaryAllocation(of: OpaquePointer?.self, capacity: 2) { signals in
        signals[0] = first
        signals[1] = second
        return rac_signal_combine_latest_reduce(
          signals.baseAddress, 2, reducingBoth(transform).passed, ReduceEachContext.call,
          ReduceEachContext.release)
      }
    }
  }

  /// Sends the latest value of each, whenever one sends and both have.
  ///
  ///     source                --1-----2-----|
  ///     other                 ----x------y--|
  ///     combineLatest(with:)  ----c---d--e--|   c: (1,x), d: (2,x), e: (2,y)
  @inlinable @inline(__always)
  public func combineLatest<Other: SignalProtocol>(with other: Other) -> Signal<
    (Value, Other.Value)
  > {
    combineLatest(with: other) { ($0, $1) }
  }
}

/// The context of whatever makes a value of two signals' values.
@inlinable @inline(__always)
func reducingBoth<A, B, Output>(
  _ combine: @escaping @Sendable (A, B) throws -> Output
) -> ReduceEachContext {
  ReduceEachContext { elements, _, out in
    guard let a: A = decode(elements[0]) else { return raiseMismatch(elements[0], A.self) }
    guard let b: B = decode(elements[1]) else { return raiseMismatch(elements[1], B.self) }
    do {
      out.pointee = encode(try combine(a, b))
      return 0
    } catch {
      return raise(error)
    }
  }
}
