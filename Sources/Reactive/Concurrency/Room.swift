import CRAC

/// One wait for room below: ended by the engine's action, by the end of what was asked, which drops
/// the action, or by the task.
private final class RoomContext: Context, @unchecked Sendable {
  enum Outcome { case room, ended, cancelled }

  private struct State {
    var outcome: Outcome? = nil
    var waiting: UnsafeContinuation<Outcome, Never>? = nil
  }

  private let state = Locked(State())

  /// The first outcome counts.
  func settle(_ outcome: Outcome) {
    let waiting = state.withLock { state -> UnsafeContinuation<Outcome, Never>? in
      if state.outcome != nil { return nil }
      state.outcome = outcome
      return state.waiting
    }
    waiting?.resume(returning: outcome)
  }

  /// Once.
  func outcome(isolation: isolated (any Actor)?) async -> Outcome {
    await withUnsafeContinuation(isolation: isolation) { continuation in
      let outcome = state.withLock { state -> Outcome? in
        state.waiting = continuation
        return state.outcome
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }

  static var call: rac_action_fn {
    { context in context.with(RoomContext.self) { $0.settle(.room) } }
  }

  /// Behind the action, or in place of it.
  static var drop: rac_destroy_fn {
    { context in Unmanaged<RoomContext>.fromOpaque(context!).takeRetainedValue().settle(.ended) }
  }
}

/// Waits until there is room below a subscriber or a subject, which `owner` keeps.
///
/// Returns nil, or the answer to a send that need not be tried.
@usableFromInline
func roomToSend(
  to target: OpaquePointer?, keptBy owner: some AnyObject & Sendable,
  isolation: isolated (any Actor)?
) async throws -> SendResult? {
  defer { withExtendedLifetime(owner) {} }
  while true {
    // Most times there is room, and nothing is made.
    var status = rac_subscriber_hold(target, nil, nil, nil, nil, nil)
    if status == rac_status(RAC_OK) { return nil }
    if status != rac_status(RAC_PENDING) { return SendResult(rawValue: status) }
    let wait = RoomContext()
    var waiting: OpaquePointer?
    status = serving(nil) {
      rac_subscriber_hold(target, $0, &waiting, wait.passed, RoomContext.call, RoomContext.drop)
    }
    if status == rac_status(RAC_OK) { return nil }
    if status != rac_status(RAC_PENDING) { return SendResult(rawValue: status) }
    defer { rac_release(UnsafeMutableRawPointer(waiting)) }
    let outcome = await withTaskCancellationHandler {
      await wait.outcome(isolation: isolation)
    } onCancel: {
      wait.settle(.cancelled)
    }
    switch outcome {
    case .room: continue
    case .ended: return .ended
    case .cancelled:
      rac_dispose(waiting)
      throw CancellationError()
    }
  }
}

/// Sends when there is room. Another sender may be faster: then it waits again.
@usableFromInline
func sendWhenRoom(
  to target: OpaquePointer?, keptBy owner: some AnyObject & Sendable,
  isolation: isolated (any Actor)?, _ send: () -> SendResult
) async throws -> SendResult {
  while true {
    if let answer = try await roomToSend(to: target, keptBy: owner, isolation: isolation) {
      return answer
    }
    let result = send()
    if result != .full && result != .wouldDeadlock { return result }
    await Task.yield()
  }
}

extension Observer {
  /// Waits until there is room below, and sends a value: for a producer in a task, which so goes no
  /// faster than what is below can take.
  ///
  ///     let pages = Signal<Page> { observer in
  ///       let task = Task {
  ///         for number in 1...1000 {
  ///           try await observer.sendWhenRoom(load(number))
  ///         }
  ///         observer.complete()
  ///       }
  ///       observer.onTermination { task.cancel() }
  ///     }
  ///     pages.deliver(on: worker, bound: Bound(8, .wait)).observe { show($0) }
  ///
  /// It blocks no thread, and sends where it was called. There is room unless a place below is
  /// full: one with a bound that waits or refuses, a `flatMap` with a limit, a `deliver(on:)`. The
  /// timeout of a bound does not count here.
  ///
  /// Its name is not `send`, which a task may call as well, without waiting.
  ///
  /// - Returns: as `send`, but neither `full` nor `wouldDeadlock`; `ended`, at once, when the
  ///   subscription has ended or does so meanwhile.
  /// - Throws: `CancellationError` when the task is cancelled and there is no room. The value was
  ///   not sent.
  @inlinable @discardableResult
  public func sendWhenRoom(
    _ value: Value, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SendResult {
    try await Reactive.sendWhenRoom(to: pointer, keptBy: keeper, isolation: isolation) {
      send(value)
    }
  }

  /// Waits until there is room below; false when the subscription has ended.
  func waitsForRoom() async throws -> Bool {
    try await roomToSend(to: pointer, keptBy: keeper, isolation: nil) == nil
  }
}

extension Subject {
  /// Waits until the subject's bound has room, and sends a value: `Observer.sendWhenRoom` of a
  /// subject. Without a bound that waits or refuses there is always room.
  ///
  ///     let bound = Bound(64, .wait)
  ///     let requests = try Subject<Int>(bound: bound)
  ///     requests.deliver(on: worker, bound: bound).observe { serve($0) }
  ///     for number in 1...1000 { try await requests.sendWhenRoom(number) }
  ///
  /// - Returns: as `send`, but neither `full` nor `wouldDeadlock`; `ended` when the subject is
  ///   sent an end while this waits.
  /// - Throws: `CancellationError` when the task is cancelled and there is no room. The value was
  ///   not sent.
  @inlinable @discardableResult
  public func sendWhenRoom(
    _ value: Value, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SendResult {
    try await Reactive.sendWhenRoom(to: pointer, keptBy: self, isolation: isolation) {
      send(value)
    }
  }
}
