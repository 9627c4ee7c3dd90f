import CRAC

/// The turns of an asynchronous loop: a scheduler of its own, on which the loop runs one value each
/// time that it asks for the next. The buffer before it is a place, which holds the sources above.
final class LoopTurns: Context, @unchecked Sendable {
  private struct State {
    var isDue = false
    var waiting: [UnsafeContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  /// The source behind the place, where the scheduler takes over a reference to this; nil: there is
  /// no memory for it.
  func place(_ source: OpaquePointer?, _ capacity: Int) -> (signal: Reference, scheduler: Reference)
  {
    let scheduler = Reference(
      rac_scheduler_over_queue(nil, passed, LoopTurns.enqueue, LoopTurns.release))
    let bound = Reference(rac_bound_create(Swift.max(capacity, 1), Int32(RAC_BOUND_WAIT)))
    let signal = withExtendedLifetime((scheduler, bound)) {
      Reference(rac_signal_deliver_on_bounded(source, scheduler.pointer, bound.pointer))
    }
    return (signal, scheduler)
  }

  private static var enqueue: rac_enqueue_fn {
    { context, _ in context.with(LoopTurns.self) { $0.wake(isDue: true) } }
  }

  /// Whether a turn was due, which the caller takes.
  func take() -> Bool {
    state.withLock { state in
      defer { state.isDue = false }
      return state.isDue
    }
  }

  func wake(isDue: Bool) {
    let waiting = state.withLock { state in
      if isDue { state.isDue = true }
      defer { state.waiting = [] }
      return state.waiting
    }
    for each in waiting { each.resume() }
  }

  /// Until a turn is due, or somebody wakes it; at once when `isOver` says so.
  func wait(isolation: isolated (any Actor)?, unless isOver: @Sendable () -> Bool) async {
    await withUnsafeContinuation(isolation: isolation) { continuation in
      let goesOn = state.withLock { state in
        if state.isDue || isOver() { return true }
        state.waiting.append(continuation)
        return false
      }
      if goesOn { continuation.resume() }
    }
  }
}
