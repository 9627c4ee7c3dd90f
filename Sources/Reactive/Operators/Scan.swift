import CRAC

extension SignalProtocol {
  /// Sends what `combine` makes of what it sent last, at first `initial`, and each value.
  ///
  ///     source     --1--2--3--|
  ///     scan(0, +) --1--3--6--|
  ///
  /// RAC: -scanWithStart:reduce:.
  @inlinable @inline(__always)
  public func scan<T: Sendable>(
    _ initial: T, _ combine: @escaping @Sendable (T, Value) throws -> T
  ) -> Signal<T> {
    derive { source in
      withEncoded(initial) {
        rac_signal_scan(
          source, $0, reducing(combine).passed, ReduceContext.call, ReduceContext.release)
      }
    }
  }
}

/// The context of whatever makes a value of two.
@inlinable @inline(__always)
func reducing<A, B, Output>(_ combine: @escaping @Sendable (A, B) throws -> Output) -> ReduceContext
{
  ReduceContext { running, next, out in
    guard let a: A = decode(running) else { return raiseMismatch(running, A.self) }
    guard let b: B = decode(next) else { return raiseMismatch(next, B.self) }
    do {
      out.pointee = encode(try combine(a, b))
      return 0
    } catch {
      return raise(error)
    }
  }
}
