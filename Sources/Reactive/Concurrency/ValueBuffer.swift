import CRAC

/// How many values wait for an asynchronous loop that is slower than the signal, and which give
/// way.
public enum BufferingPolicy: Sendable, Equatable {
  /// All of them wait.
  case unbounded
  /// The first so many wait; later ones are dropped.
  case oldest(Int)
  /// The last so many wait; the ones that have waited longest are dropped.
  case newest(Int)
  /// Only the latest waits.
  case latest
  /// So many wait; one more ends the loop with an `EngineError` that `isOverflow`, after those that
  /// wait.
  case failing(Int)
  /// So many wait; meanwhile sources above that can wait, such as lines of a file, rest until half
  /// have been taken. Values of other sources are taken beyond that.
  case waiting(Int)
}

/// The values that wait between a signal and an asynchronous loop, in the engine's form, so that
/// none of this is generic.
final class ValueBuffer: Sendable {
  typealias Waiting = UnsafeContinuation<rac_value?, any Error>

  private struct State {
    /// Owned; those before `first` were taken.
    var values: [rac_value] = []
    var first = 0
    var end: Completion? = nil
    var waiting: Waiting? = nil
    /// Behind it: iterators of one loop that were copied, as two tasks of an actor can.
    var others: [Waiting] = []

    var count: Int { values.count - first }

    mutating func take() -> rac_value? {
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

    mutating func takeWaiting() -> Waiting? {
      guard let taken = waiting else { return nil }
      waiting = others.isEmpty ? nil : others.removeFirst()
      return taken
    }

    /// The loop's result when no value waits: the end, an error once.
    mutating func takeEnd() -> Result<rac_value?, any Error>? {
      switch end {
      case nil: return nil
      case .finished: return .success(nil)
      case .failed(let error):
        end = .finished
        return .failure(error)
      }
    }

    mutating func takeReady() -> Result<rac_value?, any Error>? {
      if let value = take() { return .success(value) }
      return takeEnd()
    }
  }

  private let state = Locked(State())
  private let most: Int
  private let policy: BufferingPolicy

  init(_ policy: BufferingPolicy) {
    self.policy = policy
    switch policy {
    case .unbounded, .waiting: most = .max
    case .latest: most = 1
    case .oldest(let count), .newest(let count), .failing(let count): most = max(count, 0)
    }
  }

  deinit { state.withLock { state in while let value = state.take() { rac_value_release(value) } } }

  /// A value that is lent.
  func send(_ lent: rac_value) {
    let value = rac_value_retain(lent)
    let (waiting, dropped) = state.withLock { state -> (Waiting?, rac_value?) in
      if state.end != nil { return (nil, value) }
      if let waiting = state.takeWaiting() { return (waiting, nil) }
      return (nil, admit(value, to: &state))
    }
    if let waiting { waiting.resume(returning: value) }
    if let dropped { rac_value_release(dropped) }
  }

  /// Says what gives way to the value, or the value itself.
  private func admit(_ value: rac_value, to state: inout State) -> rac_value? {
    if state.count < most {
      state.values.append(value)
      return nil
    }
    switch policy {
    case .unbounded, .waiting, .oldest: return value
    case .newest, .latest:
      guard let oldest = state.take() else { return value }
      state.values.append(value)
      return oldest
    case .failing:
      state.end = .failed(
        EngineError(
          domain: "rac.signal", code: Int(RAC_SIGNAL_OVERFLOW),
          message: "the loop is too slow: \(most) values wait"))
      return value
    }
  }

  func end(_ end: Completion) {
    typealias Ended = (waiting: Waiting, result: Result<rac_value?, any Error>)
    let ended = state.withLock { state -> [Ended] in
      if state.end != nil { return [] }
      state.end = end
      var ended: [Ended] = []
      while let waiting = state.takeWaiting(), let result = state.takeEnd() {
        ended.append((waiting, result))
      }
      return ended
    }
    for (waiting, result) in ended { waiting.resume(with: result) }
  }

  /// Ends it at once, and releases the waiting values.
  func cancel() {
    let (waiting, dropped) = state.withLock { state -> ([Waiting], ArraySlice<rac_value>) in
      let dropped = state.values[state.first...]
      var waiting: [Waiting] = []
      while let taken = state.takeWaiting() { waiting.append(taken) }
      state = State(end: .finished)
      return (waiting, dropped)
    }
    for value in dropped { rac_value_release(value) }
    for waiting in waiting { waiting.resume(returning: nil) }
  }

  /// The next result that is there without waiting.
  func ready() -> Result<rac_value?, any Error>? { state.withLock { $0.takeReady() } }

  /// No more comes.
  var hasEnded: Bool { state.withLock { $0.end != nil } }

  /// Waits for the next value, owned by the caller; nil at the end.
  func next(isolation: isolated (any Actor)?) async throws -> rac_value? {
    try await withUnsafeThrowingContinuation(isolation: isolation) { continuation in
      let ready = state.withLock { state -> Result<rac_value?, any Error>? in
        if let ready = state.takeReady() { return ready }
        if state.waiting == nil {
          state.waiting = continuation
        } else {
          state.others.append(continuation)
        }
        return nil
      }
      if let ready { continuation.resume(with: ready) }
    }
  }
}

/// One run of an asynchronous loop: disposed when the loop is left, however.
@usableFromInline
final class Observation: Sendable {
  private let buffer: ValueBuffer
  private let disposable: Disposable
  /// Where the source is held while the loop is behind.
  private let turns: (LoopTurns, scheduler: Reference)?

  @usableFromInline
  init(_ source: OpaquePointer?, _ policy: BufferingPolicy) {
    let buffer = ValueBuffer(policy)
    self.buffer = buffer
    var source = source
    var place: Reference?
    if case .waiting(let count) = policy {
      let loop = LoopTurns()
      let (signal, scheduler) = loop.place(source, count)
      (source, place, turns) = (signal.pointer, signal, (loop, scheduler))
    } else {
      turns = nil
    }
    defer { withExtendedLifetime(place) {} }
    if Task.isCancelled {
      buffer.cancel()
      disposable = Disposable(adopting: nil)
    } else {
      disposable = Disposable(
        adopting: startToEnd(
          source, hearing(raw: { buffer.send($0) }, end: { buffer.end($0) }), Hearing.call,
          "a loop", 0))
    }
  }

  deinit { disposable.dispose() }

  /// Owned by the caller; nil at the end.
  @usableFromInline
  func next(isolation: isolated (any Actor)?) async throws -> rac_value? {
    if !Task.isCancelled, let ready = buffer.ready() { return try ready.get() }
    if let turns { return try await next(turns.0, turns.scheduler, isolation: isolation) }
    return try await withTaskCancellationHandler {
      try await buffer.next(isolation: isolation)
    } onCancel: {
      disposable.dispose()
      buffer.cancel()
    }
  }

  /// One value a turn.
  private func next(
    _ loop: LoopTurns, _ scheduler: Reference, isolation: isolated (any Actor)?
  ) async throws -> rac_value? {
    while true {
      if !Task.isCancelled, loop.take() {
        withExtendedLifetime(scheduler) { _ = rac_scheduler_take_turn(scheduler.pointer, 1) }
      }
      let buffer = buffer
      if !Task.isCancelled, let ready = buffer.ready() {
        // Copies of the iterator may wait for the same.
        if buffer.hasEnded { loop.wake(isDue: false) }
        return try ready.get()
      }
      await withTaskCancellationHandler {
        await loop.wait(isolation: isolation) { buffer.hasEnded }
      } onCancel: {
        disposable.dispose()
        buffer.cancel()
        loop.wake(isDue: false)
      }
      if Task.isCancelled { return nil }
    }
  }
}
