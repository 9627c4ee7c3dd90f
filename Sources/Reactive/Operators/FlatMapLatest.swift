import CRAC

extension SignalProtocol {
  /// Sends the values of the signal that `transform` made of the latest value; the one before is
  /// disposed.
  ///
  ///     source           --1-----2-----|
  ///     x -> x--x--x|    --1--1--2--2--2|
  ///
  /// A search field needs it for the requests that its texts lead to. Rx: switchMap, flatMapLatest.
  @inlinable
  public func flatMapLatest<T: Sendable>(
    _ transform: @escaping @Sendable (Value) throws -> Signal<T>
  ) -> Signal<T> {
    derive {
      rac_signal_switch_map(
        $0, flattening(transform).passed, SignalContext.call, SignalContext.release)
    }
  }

  /// Sends what an asynchronous function makes of the latest value; the task of the value before is
  /// cancelled.
  ///
  ///     source                     --1-----2-----|
  ///     mapLatest { await f($0) }  ----a-----b---|   a: f(1), b: f(2)
  ///
  /// Kotlin: mapLatest.
  public func mapLatest<T: Sendable>(
    _ transform: @escaping @Sendable (Value) async throws -> T
  ) -> Signal<T> {
    flatMapLatest { value in Signal<T> { () async throws -> T in try await transform(value) } }
  }

  /// Sends the values of the signal that `transform` makes of a value; drops the values that come
  /// until that has completed.
  ///
  ///     source       --1--2-----3-----|
  ///     x -> x---x|  --1---1----3---3-|
  ///
  /// A button that must not be pressed twice needs it. Rx: exhaustMap, flatMapFirst.
  @inlinable
  public func flatMapFirst<T: Sendable>(
    _ transform: @escaping @Sendable (Value) throws -> Signal<T>
  ) -> Signal<T> {
    derive {
      rac_signal_exhaust_map(
        $0, flattening(transform).passed, SignalContext.call, SignalContext.release)
    }
  }
}
