import CRAC

extension SignalProtocol {
  /// `scan` with a closure that is told how many values came before.
  ///
  ///     source                              --1--2--3--|
  ///     scanIndexed(0) { $0 + $1 + index }  --1--4--9--|
  ///
  /// RAC: -scanWithStart:reduceWithIndex:.
  @inlinable
  public func scanIndexed<T: Sendable>(
    _ initial: T, _ combine: @escaping @Sendable (T, Value, Int) throws -> T
  ) -> Signal<T> {
    derive { source in
      withEncoded(initial) {
        rac_signal_scan_with_index(
          source, $0, reducingIndexed(combine).passed, ReduceIndexContext.call,
          ReduceIndexContext.release)
      }
    }
  }

  /// `scan` that starts from the first value, which is sent as it is.
  ///
  ///     source   --1--2--3--|
  ///     scan(+)  --1--3--6--|
  ///
  /// Rx: scan without a seed.
  @inlinable
  public func scan(
    _ combine: @escaping @Sendable (Value, Value) throws -> Value
  ) -> Signal<Value> {
    derive {
      rac_signal_scan_without_start(
        $0, reducing(combine).passed, ReduceContext.call, ReduceContext.release)
    }
  }
}

/// The context of whatever makes a value of two and an index.
@inlinable
func reducingIndexed<A, B, Output>(
  _ combine: @escaping @Sendable (A, B, Int) throws -> Output
) -> ReduceIndexContext {
  ReduceIndexContext { running, next, index, out in
    guard let a: A = decode(running) else { return raiseMismatch(running, A.self) }
    guard let b: B = decode(next) else { return raiseMismatch(next, B.self) }
    do {
      out.pointee = encode(try combine(a, b, index))
      return 0
    } catch {
      return raise(error)
    }
  }
}

/// A value of two and an index.
@usableFromInline
final class ReduceIndexContext: Context, @unchecked Sendable {
  @usableFromInline typealias Body =
    @Sendable (rac_value, rac_value, Int, UnsafeMutablePointer<rac_value>) -> rac_status
  let body: Body

  @usableFromInline
  init(_ body: @escaping Body) {
    self.body = body
    super.init()
  }

  @usableFromInline static var call: rac_reduce_index_fn {
    { context, running, next, index, out in
      context.with(ReduceIndexContext.self) { $0.body(running, next, index, out.unsafelyUnwrapped) }
    }
  }
}
