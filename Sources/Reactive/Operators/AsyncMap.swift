extension SignalProtocol {
  /// Sends what an asynchronous function makes of each value, one after the other, in order.
  ///
  ///     source                    --12----|
  ///     asyncMap { await f($0) }  ----a-b-|   a: f(1), b: f(2)
  ///
  /// A source that can wait rests while values wait for the function. Disposing cancels the task of
  /// the function that runs; when it throws, the signal fails with that error. `flatMap` of signals
  /// made with `Signal { await f($0) }` sends the results as they come, and `mapLatest` the latest
  /// alone.
  public func asyncMap<T: Sendable>(
    _ transform: @escaping @Sendable (Value) async throws -> T
  ) -> Signal<T> {
    concatMap { value in Signal<T> { () async throws -> T in try await transform(value) } }
  }

  /// The same with several functions that run at a time. The results come in the order of the
  /// values.
  ///
  ///     source                                       --12----|
  ///     asyncMap(maxConcurrent: 2) { await f($0) }   ----ab--|   a: f(1), b: f(2)
  ///
  /// An error comes in its turn, too. Disposing cancels all tasks.
  ///
  /// - Parameters:
  ///   - maxConcurrent: how many run at a time, 1 or more. A source that can wait rests while as
  ///     many wait besides.
  ///   - transform: runs in a task of its own for each value.
  public func asyncMap<T: Sendable>(
    maxConcurrent: Int, _ transform: @escaping @Sendable (Value) async throws -> T
  ) -> Signal<T> {
    let source = signal
    let most = Swift.max(maxConcurrent, 1)
    return .using({ TaskTurns(most) }, release: { $0.close() }) { turns in
      source.concatMap(bound: Bound(most, .wait)) { value in
        let started = StartedTask(turns) { try await transform(value) }
        return Signal<T> { () async throws -> T in try await started.value }
      }
    }
  }
}

/// A task that has begun before anybody observes its result, and is cancelled when nobody is left
/// that could.
private final class StartedTask<T: Sendable>: Sendable {
  private let task: Task<T, any Error>

  init(_ turns: TaskTurns, _ work: @escaping @Sendable () async throws -> T) {
    let number = turns.take()
    task = Task(executorPreference: VirtualTasks.current) {
      await turns.begin(number)
      defer { turns.end() }
      if turns.isClosed { throw CancellationError() }
      try Task.checkCancellation()
      return try await work()
    }
  }

  deinit { task.cancel() }

  var value: T {
    get async throws {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }
}

/// Lets so many tasks run at a time, in the order of their numbers.
private final class TaskTurns: Sendable {
  private struct State {
    var taken = 0
    /// Those below it may run.
    var most: Int
    var waiting: [Int: UnsafeContinuation<Void, Never>] = [:]
    var isClosed = false
  }

  private let state: Locked<State>

  init(_ most: Int) { state = Locked(State(most: most)) }

  /// A number, of which each begins and ends once.
  func take() -> Int {
    state.withLock { state in
      defer { state.taken += 1 }
      return state.taken
    }
  }

  func begin(_ number: Int) async {
    await withUnsafeContinuation { continuation in
      let goesOn = state.withLock { state in
        if number < state.most { return true }
        state.waiting[number] = continuation
        return false
      }
      if goesOn { continuation.resume() }
    }
  }

  func end() {
    let next = state.withLock { state in
      defer { state.most += 1 }
      return state.waiting.removeValue(forKey: state.most)
    }
    next?.resume()
  }

  /// No more begin.
  func close() { state.withLock { $0.isClosed = true } }
  var isClosed: Bool { state.withLock { $0.isClosed } }
}
