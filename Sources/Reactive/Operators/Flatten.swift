import CRAC

extension SignalProtocol where Value: SignalProtocol {
  /// Sends what the signals send that are sent, at most `maxConcurrent` at a time; the others wait.
  ///
  ///     source                     --a--b--|
  ///     a                            -1--3--|
  ///     b                               --4--5--|
  ///     flatten()                  ---1--34--5--|
  ///     flatten(maxConcurrent: 1)  ---1--3----4--5--|
  ///
  /// - Parameter maxConcurrent: nil is as many as there are.
  /// - Parameter bound: how many signals may wait; nil is without limit.
  ///
  /// RAC: -flatten:. Rx: mergeAll.
  public func flatten(maxConcurrent: Int? = nil, bound: Bound? = nil) -> Signal<Value.Value> {
    let most = maxConcurrent.map { Swift.max($0, 1) } ?? 0
    return withExtendedLifetime(bound) {
      asSignals { rac_signal_flatten_bounded($0, most, bound?.pointer) }
    }
  }

  /// Sends what the latest signal sends that was sent.
  ///
  ///     source          -a-----b--|
  ///     a                -1--2--3
  ///     b                      --7--8|
  ///     switchToLatest  --1--2---7--8|
  ///
  /// Completes when the source and the latest signal have. RAC: -switchToLatest. Rx: switchAll.
  public func switchToLatest() -> Signal<Value.Value> {
    asSignals { rac_signal_switch_to_latest($0) }
  }

  /// The values as the engine's signals.
  private func asSignals(
    _ make: (OpaquePointer?) -> OpaquePointer?
  ) -> Signal<Value.Value> {
    let context = MapContext { value, out in
      guard let inner: Value = decode(value) else { return raiseMismatch(value, Value.self) }
      let signal = inner.signal
      out.pointee = withExtendedLifetime(signal) { rac_value_signal(signal.pointer) }
      return 0
    }
    return derive { source in
      let signals = rac_signal_map(source, context.passed, MapContext.call, MapContext.release)
      defer { if let signals { rac_release(UnsafeMutableRawPointer(signals)) } }
      return make(signals)
    }
  }
}
