import CRAC
import Dispatch

/// Runs the tasks of signals that are observed while virtual time passes as jobs of the virtual
/// scheduler, so that they end before `advance(by:)` returns, in the same order each time. What
/// comes when no time passes runs where tasks run otherwise: nothing waits for the next advance.
final class VirtualTasks: TaskExecutor {
  /// Of the advance that this is part of; nil outside of one.
  @TaskLocal static var current: VirtualTasks?

  private struct State {
    /// How many advances lie in each other.
    var depth = 0
    /// While time passes.
    var scheduler: OpaquePointer?
    var waiting: [UnownedJob] = []
    var first = 0
    /// At one time of the scheduler's.
    var time = 0.0
    var turns = 0

    mutating func next() -> UnownedJob? {
      if first == waiting.count { return nil }
      defer { first += 1 }
      return waiting[first]
    }

    mutating func take() -> [UnownedJob] {
      defer { (waiting, first) = ([], 0) }
      return Array(waiting[first...])
    }
  }

  /// Tasks that take more turns without any time passing wait for something else than time.
  private static let mostTurns = 20_000

  private let state = Locked(State())

  /// Lets `body` be the scheduler's.
  func during<Result>(_ scheduler: OpaquePointer?, _ body: () throws -> Result) rethrows -> Result {
    state.withLock { state in
      state.depth += 1
      state.scheduler = scheduler
    }
    defer {
      let left = state.withLock { state -> [UnownedJob] in
        state.depth -= 1
        if state.depth > 0 { return [] }
        state.scheduler = nil
        return state.take()
      }
      for job in left { runElsewhere(job) }
    }
    return try VirtualTasks.$current.withValue(self, operation: body)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let scheduler = state.withLock { state -> Reference? in
      guard let scheduler = state.scheduler else { return nil }
      let time = rac_scheduler_now(scheduler)
      state.turns = time == state.time ? state.turns + 1 : 0
      state.time = time
      if state.turns > VirtualTasks.mostTurns { return nil }
      state.waiting.append(job)
      return Reference(OpaquePointer(rac_retain(UnsafeMutableRawPointer(scheduler))))
    }
    guard let scheduler else { return runElsewhere(job) }
    let scheduled = rac_schedule(
      scheduler.pointer, ActionContext { self.runNext() }.passed, ActionContext.call,
      ActionContext.release)
    rac_release(UnsafeMutableRawPointer(scheduled))
    withExtendedLifetime(scheduler) {}
  }

  private func runNext() {
    let job = state.withLock { $0.next() }
    job?.runSynchronously(on: asUnownedTaskExecutor())
  }

  private func runElsewhere(_ job: UnownedJob) {
    DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
