import CRAC

extension SignalProtocol {
  /// Sends the last result of `combine` when the source completes; `initial` if there were no
  /// values.
  ///
  ///     source        --1--2--3--|
  ///     reduce(0, +)  -----------(6|)
  ///
  /// An error passes, and the result is dropped. RAC: -aggregateWithStart:reduce:. Rx: reduce.
  @inlinable
  public func reduce<T: Sendable>(
    _ initial: T, _ combine: @escaping @Sendable (T, Value) throws -> T
  ) -> Signal<T> {
    derive { source in
      withEncoded(initial) {
        rac_signal_aggregate(
          source, $0, reducing(combine).passed, ReduceContext.call, ReduceContext.release)
      }
    }
  }

  /// `reduce` with a closure that is told how many values came before.
  ///
  ///     source                                --1--2--3--|
  ///     reduceIndexed(0) { $0 + $1 + index }  -----------(9|)
  ///
  /// RAC: -aggregateWithStart:reduceWithIndex:.
  @inlinable
  public func reduceIndexed<T: Sendable>(
    _ initial: T, _ combine: @escaping @Sendable (T, Value, Int) throws -> T
  ) -> Signal<T> {
    derive { source in
      withEncoded(initial) {
        rac_signal_aggregate_with_index(
          source, $0, reducingIndexed(combine).passed, ReduceIndexContext.call,
          ReduceIndexContext.release)
      }
    }
  }

  /// `reduce` that changes its result in place, which spares a copy of a collection for each value.
  ///
  ///     source                              --1--2--|
  ///     reduce(into: []) { $0.append($1) }  --------(a|)   a: [1,2]
  ///
  /// - Parameters:
  ///   - initial: where each observation begins.
  ///   - update: changes the result by a value.
  ///
  /// RAC: -aggregateWithStartFactory:reduce:. Rx: reduceWith.
  @inlinable
  public func reduce<T: Sendable>(
    into initial: T, _ update: @escaping @Sendable (inout T, Value) throws -> Void
  ) -> Signal<T> {
    let start = FactoryContext { out in
      out.pointee = encode(object: Accumulated(initial))
      return 0
    }
    let step = ReduceContext { running, next, out in
      guard let value: Value = decode(next) else { return raiseMismatch(next, Value.self) }
      do {
        let result = unsafeDowncast(object(of: running).unsafelyUnwrapped, to: Accumulated<T>.self)
        try update(&result.value, value)
        out.pointee = encode(object: result)
        return 0
      } catch {
        return raise(error)
      }
    }
    // The two closures of one call share a context in C.
    let both = AccumulationContext(start, step)
    let source = signal
    return withExtendedLifetime(source) {
      converting(
        rac_signal_aggregate_with_factory(
          source.pointer, both.passed, AccumulationContext.start, AccumulationContext.step,
          AccumulationContext.release)
      ) {
        unsafeDowncast(object(of: $0).unsafelyUnwrapped, to: Accumulated<T>.self).value
      }
    }
  }
}

/// The value that `reduce(into:)` changes. Only the subscription that made it uses it, one value at
/// a time.
@usableFromInline
final class Accumulated<Value> {
  @usableFromInline var value: Value
  @usableFromInline init(_ value: Value) { self.value = value }
}

@usableFromInline
final class AccumulationContext: Context, @unchecked Sendable {
  let makeStart: FactoryContext
  let takeStep: ReduceContext

  @usableFromInline
  init(_ makeStart: FactoryContext, _ takeStep: ReduceContext) {
    self.makeStart = makeStart
    self.takeStep = takeStep
    super.init()
  }

  @usableFromInline static var start: rac_factory_fn {
    { context, out in
      context.with(AccumulationContext.self) { $0.makeStart.body(out.unsafelyUnwrapped) }
    }
  }

  @usableFromInline static var step: rac_reduce_fn {
    { context, running, next, out in
      context.with(AccumulationContext.self) {
        $0.takeStep.body(running, next, out.unsafelyUnwrapped)
      }
    }
  }
}
