import CRAC

/// The values of a signal for `for try await`: `signal.values`.
public struct SignalValues<Value: Sendable>: AsyncSequence, Sendable {
  /// A value of the signal.
  public typealias Element = Value

  let signal: Signal<Value>
  let policy: BufferingPolicy
  /// An observation that goes on already.
  let begun: Observation?

  init(_ signal: Signal<Value>, _ policy: BufferingPolicy, begun: Observation? = nil) {
    self.signal = signal
    self.policy = policy
    self.begun = begun
  }

  /// Begins to observe, unless `startingNow` has.
  public func makeAsyncIterator() -> Iterator { Iterator(begun ?? observed) }

  /// The same, observed from now on: a loop that begins later gets what has been sent meanwhile, as
  /// far as the policy keeps it.
  ///
  ///     let answers = subject.values(buffering: .newest(8)).startingNow()
  ///     ask()
  ///     for try await answer in answers { … }
  ///
  /// It is for one loop: two share the values. Letting go of it disposes the observation.
  public func startingNow() -> SignalValues { SignalValues(signal, policy, begun: observed) }

  private var observed: Observation {
    withExtendedLifetime(signal) { Observation(signal.pointer, policy) }
  }

  /// Observes until the end, or until the iterator is let go of.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline var observation: Observation?

    init(_ observation: Observation) { self.observation = observation }

    /// The next value, nil after the completion, or when the task is cancelled.
    ///
    /// - Throws: the signal's error.
    @inlinable
    public mutating func next() async throws -> Value? { try await next(isolation: nil) }

    /// The next value, nil after the completion, without leaving the actor.
    @inlinable
    public mutating func next(isolation: isolated (any Actor)?) async throws -> Value? {
      guard let observation else { return nil }
      guard let value = try await observation.next(isolation: isolation) else {
        self.observation = nil
        return nil
      }
      defer { if !isScalar(Value.self) { rac_value_release(value) } }
      guard let decoded: Value = decode(value) else {
        self.observation = nil
        throw EngineError.typeMismatch(value, Value.self)
      }
      return decoded
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
  /// Each loop observes for itself, from its beginning: it misses earlier values of a hot signal.
  /// The loop ends with the signal, and throws its error. Cancelling the task, or leaving the loop,
  /// disposes of the observation; not at the top level of `main.swift`, where Swift keeps what a
  /// loop uses in globals. A cold signal that sends without an end while it is being
  /// observed has to run on another thread: `subscribe(on: .background())`.
  ///
  /// - Parameter policy: for values that come while the loop is busy.
  public func values(buffering policy: BufferingPolicy) -> SignalValues<Value> {
    SignalValues(signal, policy)
  }

  /// The signal's values as an asynchronous sequence; those that come while the loop is busy wait,
  /// all of them. See `values(buffering:)`.
  ///
  ///     for try await place in places.values { await show(place) }
  public var values: SignalValues<Value> { SignalValues(signal, .unbounded) }

  /// The first value. The observation is disposed then.
  ///
  /// - Throws: the signal's error; an `EngineError` that `isEmpty` when it completes without a
  ///   value; `CancellationError` when the task is cancelled.
  public func first() async throws -> Value {
    // The source hears that no more is wanted where it sends: it may be one that never returns.
    var iterator = prefix(1).values(buffering: .oldest(1)).makeAsyncIterator()
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
