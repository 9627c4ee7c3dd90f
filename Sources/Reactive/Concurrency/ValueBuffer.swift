import Synchronization

/// How many values wait for an asynchronous loop that is slower than the signal, and which give way.
public enum BufferingPolicy: Sendable, Equatable {
  /// All of them wait.
  case unbounded
  /// The first so many wait; what comes then is dropped.
  case oldest(Int)
  /// The last so many wait; the ones that have waited longest are dropped.
  case newest(Int)
  /// Only the latest waits.
  case latest
  /// So many wait; one more ends the loop with an `EngineError` that `isOverflow`, after those that wait.
  case failing(Int)
}

/// What waits between a signal and an asynchronous loop.
@usableFromInline
final class ValueBuffer<Value: Sendable>: Sendable {
  private struct State {
    /// Those before `first` were taken.
    var values: [Value] = []
    var first = 0
    var end: Completion? = nil
    var waiting: UnsafeContinuation<Value?, any Error>? = nil

    var count: Int { values.count - first }

    mutating func take() -> Value? {
      if first == values.count { return nil }
      let value = values[first]
      first += 1
      if first == values.count {
        values.removeAll(keepingCapacity: true)
        first = 0
      } else if first >= 64 && first * 2 >= values.count {
        values.removeFirst(first)
        first = 0
      }
      return value
    }

    /// What the loop gets when nothing waits: the end, an error once.
    mutating func takeEnd() -> Result<Value?, any Error>? {
      switch end {
      case nil: return nil
      case .finished: return .success(nil)
      case .failed(let error):
        end = .finished
        return .failure(error)
      }
    }
  }

  private let state = Mutex(State())
  private let policy: BufferingPolicy

  init(_ policy: BufferingPolicy) { self.policy = policy }

  func send(_ value: Value) {
    let waiting = state.withLock { state -> UnsafeContinuation<Value?, any Error>? in
      if state.end != nil { return nil }
      if let waiting = state.waiting {
        state.waiting = nil
        return waiting
      }
      admit(value, to: &state)
      return nil
    }
    waiting?.resume(returning: value)
  }

  private func admit(_ value: Value, to state: inout State) {
    switch policy {
    case .unbounded: state.values.append(value)
    case .oldest(let most): if state.count < most { state.values.append(value) }
    case .newest(let most): replaceOldest(by: value, atMost: most, in: &state)
    case .latest: replaceOldest(by: value, atMost: 1, in: &state)
    case .failing(let most):
      if state.count < most {
        state.values.append(value)
      } else {
        state.end = .failed(
          EngineError(
            domain: "rac.signal", code: 3, message: "the loop is too slow: \(most) values wait"))
      }
    }
  }

  private func replaceOldest(by value: Value, atMost most: Int, in state: inout State) {
    if most <= 0 { return }
    if state.count >= most { _ = state.take() }
    state.values.append(value)
  }

  func end(_ end: Completion) {
    let (waiting, result) = state.withLock {
      state -> (UnsafeContinuation<Value?, any Error>?, Result<Value?, any Error>?) in
      if state.end != nil { return (nil, nil) }
      state.end = end
      guard let waiting = state.waiting else { return (nil, nil) }
      state.waiting = nil
      return (waiting, state.takeEnd())
    }
    if let waiting, let result { waiting.resume(with: result) }
  }

  /// Ends it at once: what waits is let go of.
  func cancel() {
    let (waiting, dropped) = state.withLock {
      state -> (UnsafeContinuation<Value?, any Error>?, [Value]) in
      let dropped = state.values
      state.values = []
      state.first = 0
      state.end = .finished
      defer { state.waiting = nil }
      return (state.waiting, dropped)
    }
    withExtendedLifetime(dropped) {}
    waiting?.resume(returning: nil)
  }

  /// Waits for the next value; nil at the end.
  func next(isolation: isolated (any Actor)? = #isolation) async throws -> Value? {
    if let ready = state.withLock({ takeReady(&$0) }) { return try ready.get() }
    return try await withUnsafeThrowingContinuation(isolation: isolation) { continuation in
      let ready = state.withLock { state -> Result<Value?, any Error>? in
        if let ready = takeReady(&state) { return ready }
        state.waiting = continuation
        return nil
      }
      if let ready { continuation.resume(with: ready) }
    }
  }

  private func takeReady(_ state: inout State) -> Result<Value?, any Error>? {
    if let value = state.take() { return .success(value) }
    return state.takeEnd()
  }
}
