import CRAC

extension SignalProtocol {
  /// `flatMap` with at most so many signals at a time; the others wait.
  ///
  ///     source                   --1-2-3--|
  ///     x -> x--x|, 1 at a time  --1--12--23--3|
  ///
  /// - Parameters:
  ///   - maxConcurrent: how many at a time, 1 or more.
  ///   - bound: how many signals may wait; nil is without limit.
  ///   - transform: makes a signal of a value.
  ///
  /// Rx: flatMap with maxConcurrency.
  @inlinable
  public func flatMap<T: Sendable>(
    maxConcurrent: Int, bound: Bound? = nil,
    _ transform: @escaping @Sendable (Value) throws -> Signal<T>
  ) -> Signal<T> {
    let context = flattening(transform)
    let most = Swift.max(maxConcurrent, 1)
    return withExtendedLifetime(bound) {
      derive {
        rac_signal_flatten_map_limited(
          $0, most, bound?.pointer, context.passed, SignalContext.call, SignalContext.release)
      }
    }
  }

  /// Sends the values of the signals that `transform` makes, one signal after the other.
  ///
  ///     source      --1--2--|
  ///     x -> x--x|  --1--12--2|
  ///
  /// `transform` is called when the value comes, and its signal waits until those before it have
  /// completed.
  ///
  /// - Parameters:
  ///   - bound: how many signals may wait; nil is without limit.
  ///   - transform: makes a signal of a value.
  ///
  /// Rx: concatMap.
  @inlinable
  public func concatMap<T: Sendable>(
    bound: Bound? = nil, _ transform: @escaping @Sendable (Value) throws -> Signal<T>
  ) -> Signal<T> {
    let context = flattening(transform)
    guard let bound else {
      return derive {
        rac_signal_concat_map($0, context.passed, SignalContext.call, SignalContext.release)
      }
    }
    return withExtendedLifetime(bound) {
      derive {
        rac_signal_flatten_map_limited(
          $0, 1, bound.pointer, context.passed, SignalContext.call, SignalContext.release)
      }
    }
  }
}
