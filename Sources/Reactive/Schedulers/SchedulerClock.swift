/// A scheduler's time as a clock of Swift's: of a virtual scheduler it is a test's, in which
/// `Task.sleep` ends when the test lets time pass.
///
///     let scheduler = Scheduler.virtual()
///     let task = Task { try await Task.sleep(for: .seconds(3), clock: scheduler.clock) }
///     await scheduler.clock.sleepers(1)
///     scheduler.advance(by: .seconds(3))
///     try await task.value
public struct SchedulerClock: Clock {
  /// A time of the scheduler's.
  public struct Instant: InstantProtocol {
    /// From the beginning of the scheduler's time.
    public let sinceStart: Duration

    /// Of a time from the beginning of the scheduler's time.
    public init(sinceStart: Duration) { self.sinceStart = sinceStart }

    /// Later by a duration.
    public func advanced(by duration: Duration) -> Instant {
      Instant(sinceStart: sinceStart + duration)
    }

    /// How long it is to another one.
    public func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }

    /// Whether it comes before another one.
    public static func < (a: Instant, b: Instant) -> Bool { a.sinceStart < b.sinceStart }
  }

  let scheduler: Scheduler
  let sleeping: Sleepers

  /// The scheduler's time now.
  public var now: Instant { Instant(sinceStart: scheduler.now) }
  /// The engine counts in nanoseconds.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until the scheduler's time has come, in a job of its.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let rest = now.duration(to: deadline)
    if rest <= .zero { return }
    let wait = Sleep(sleeping)
    let job = scheduler.schedule(after: rest) { wait.end(nil) }
    defer { job.dispose() }
    try await withTaskCancellationHandler {
      try await wait.outcome()
    } onCancel: {
      wait.end(CancellationError())
    }
  }

  /// Waits until at least so many tasks sleep by this scheduler's clock: before time is let pass.
  public func sleepers(_ count: Int) async { await sleeping.wait(for: count) }
}

extension Scheduler {
  /// The scheduler's time, for `Task.sleep(for:clock:)` and whatever takes a `Clock`.
  public var clock: SchedulerClock { SchedulerClock(scheduler: self, sleeping: sleepers) }
}

/// How many tasks sleep, and those that wait for them.
final class Sleepers: Sendable {
  private struct State {
    var count = 0
    var waiting: [(least: Int, continuation: UnsafeContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())

  func add(_ number: Int) {
    let met = state.withLock { state in
      state.count += number
      let count = state.count
      let met = state.waiting.filter { $0.least <= count }
      state.waiting.removeAll { $0.least <= count }
      return met
    }
    for each in met { each.continuation.resume() }
  }

  func wait(for count: Int) async {
    await withUnsafeContinuation { continuation in
      let isMet = state.withLock { state in
        if state.count >= count { return true }
        state.waiting.append((count, continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }
}

/// One sleep: ended by the scheduler's job or by the task, whichever is first.
private final class Sleep: Sendable {
  private struct State {
    var outcome: Result<Void, any Error>? = nil
    var waiting: UnsafeContinuation<Void, any Error>? = nil
  }

  private let state = Locked(State())
  private let sleepers: Sleepers

  init(_ sleepers: Sleepers) { self.sleepers = sleepers }

  func end(_ error: (any Error)?) {
    let outcome: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
    let waiting = state.withLock { state -> UnsafeContinuation<Void, any Error>? in
      if state.outcome != nil { return nil }
      state.outcome = outcome
      defer { state.waiting = nil }
      return state.waiting
    }
    guard let waiting else { return }
    sleepers.add(-1)
    waiting.resume(with: outcome)
  }

  func outcome() async throws {
    try await withUnsafeThrowingContinuation { continuation in
      let outcome = state.withLock { state -> Result<Void, any Error>? in
        if let outcome = state.outcome { return outcome }
        state.waiting = continuation
        return nil
      }
      if let outcome { continuation.resume(with: outcome) } else { sleepers.add(1) }
    }
  }
}
