extension SignalProtocol {
  /// Calls an asynchronous function with each value, one after the other, in order, in a task of
  /// its own each time.
  ///
  ///     orders.observeAsync { order in try await store.save(order) }
  ///
  /// A source that can wait rests while values wait for the function; others are kept. Disposing
  /// cancels the task of the function that runs. When it throws, the observation ends with that
  /// error.
  ///
  /// - Parameters:
  ///   - onValue: belongs to no actor; of one that is the main actor's say `@MainActor in`.
  ///   - completion: once, when the signal ends or the function throws; not when observing is
  ///     disposed. Without one an error is one that nobody handles: see `UnhandledErrors.handler`.
  ///   - fileID: for `liveObservations()`, as `line`.
  ///   - line: where this is called.
  @discardableResult
  public func observeAsync(
    _ onValue: @escaping @Sendable (Value) async throws -> Void,
    completion: (@Sendable (Completion) -> Void)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Disposable {
    let handled = asyncMap(onValue)
    guard let completion else { return handled.observe({ _ in }, fileID: fileID, line: line) }
    return handled.observe({ _ in }, completion: completion, fileID: fileID, line: line)
  }
}
