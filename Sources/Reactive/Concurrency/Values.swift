/// The values of a signal for `for try await`: `signal.values()`.
public struct SignalValues<Value: Sendable>: AsyncSequence, Sendable {
  /// A value of the signal.
  public typealias Element = Value

  let signal: Signal<Value>
  let policy: BufferingPolicy

  /// Begins to observe when it is first asked for a value.
  public func makeAsyncIterator() -> Iterator { Iterator(signal, policy) }

  /// Observes until the end, or until the iterator is let go of.
  public struct Iterator: AsyncIteratorProtocol {
    private var observation: Observation?

    init(_ signal: Signal<Value>, _ policy: BufferingPolicy) {
      observation = Observation(signal, policy)
    }

    /// The next value, nil after the completion, or when the task is cancelled.
    ///
    /// - Throws: the signal's error.
    public mutating func next() async throws -> Value? { try await next(isolation: nil) }

    /// The next value, nil after the completion, without leaving the actor.
    public mutating func next(isolation: isolated (any Actor)?) async throws -> Value? {
      guard let observation else { return nil }
      let value = try await observation.next(isolation: isolation)
      if value == nil { self.observation = nil }
      return value
    }
  }

  /// One run of a loop: disposed when the loop is left, however.
  final class Observation: Sendable {
    private let buffer: ValueBuffer<Value>
    private let disposable: Disposable

    init(_ signal: Signal<Value>, _ policy: BufferingPolicy) {
      let buffer = ValueBuffer<Value>(policy)
      self.buffer = buffer
      if Task.isCancelled {
        buffer.cancel()
        disposable = Disposable(adopting: nil)
      } else {
        disposable = signal.observe {
          buffer.send($0)
        } completion: {
          buffer.end($0)
        }
      }
    }

    deinit { disposable.dispose() }

    func next(isolation: isolated (any Actor)?) async throws -> Value? {
      try await withTaskCancellationHandler {
        try await buffer.next(isolation: isolation)
      } onCancel: {
        disposable.dispose()
        buffer.cancel()
      }
    }
  }
}

extension SignalProtocol {
  /// The signal's values as an asynchronous sequence.
  ///
  ///     for try await place in places.values(buffering: .latest) {
  ///       await show(place)
  ///     }
  ///
  /// Each loop observes for itself, from when it begins: what a hot signal sent before is not in it. The loop
  /// ends with the signal, and throws its error; cancelling the task ends it, and disposes; so does leaving it.
  ///
  /// - Parameter policy: what happens to values that come while the loop is busy.
  public func values(buffering policy: BufferingPolicy = .unbounded) -> SignalValues<Value> {
    SignalValues(signal: signal, policy: policy)
  }

  /// The first value. What comes after it is not waited for: observing is disposed.
  ///
  /// - Throws: the signal's error; an `EngineError` that `isEmpty` when it completes without a value;
  ///   `CancellationError` when the task is cancelled.
  public func first() async throws -> Value {
    var iterator = values(buffering: .oldest(1)).makeAsyncIterator()
    return try await SignalValues.outcome(of: iterator.next())
  }

  /// The last value before the completion.
  ///
  /// - Throws: as `first`.
  public func last() async throws -> Value {
    var last: Value? = nil
    for try await value in values(buffering: .newest(1)) { last = value }
    return try SignalValues.outcome(of: last)
  }
}

extension SignalValues {
  fileprivate static func outcome(of value: Value?) throws -> Value {
    try Task.checkCancellation()
    guard let value else { throw EngineError.empty }
    return value
  }
}
