import CRAC
import Reactive
import XCTest

/// A scheduler's time as a clock of Swift's.
final class ClockTests: FaceTestCase {
  func testATaskSleepsInVirtualTime() async throws {
    let scheduler = Scheduler.virtual()
    let clock = scheduler.clock
    let heard = Heard<String>()
    let task = Task {
      try await Task.sleep(for: .seconds(3600), clock: clock)
      heard("an hour")
      try await clock.sleep(until: clock.now.advanced(by: .seconds(60)))
      heard("a minute")
      return clock.now.sinceStart
    }
    await clock.sleepers(1)
    scheduler.advance(by: .seconds(3599))
    XCTAssertEqual(heard.all, [])
    scheduler.advance(by: .seconds(1))
    while heard.count < 1 { await Task.yield() }
    await clock.sleepers(1)
    scheduler.advance(by: .seconds(60))
    let time = try await task.value
    XCTAssertEqual(time, .seconds(3660))
    XCTAssertEqual(heard.all, ["an hour", "a minute"])
    // What is over is not waited for.
    try await clock.sleep(until: clock.now.advanced(by: .seconds(-1)))
  }

  func testASleepIsCancelled() async throws {
    let scheduler = Scheduler.virtual()
    let tasks = (0..<3).map { _ in
      Task { try await Task.sleep(for: .seconds(1), clock: scheduler.clock) }
    }
    await scheduler.clock.sleepers(3)
    tasks[1].cancel()
    do {
      try await tasks[1].value
      XCTFail("did not throw")
    } catch { XCTAssertTrue(error is CancellationError) }
    scheduler.advance(by: .seconds(1))
    try await tasks[0].value
    try await tasks[2].value
    XCTAssertEqual(scheduler.now, .seconds(1))
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await Task.sleep(for: .seconds(1), clock: scheduler.clock)
    }
    do {
      try await late.value
      XCTFail("did not throw")
    } catch { XCTAssertTrue(error is CancellationError) }
  }

  /// A signal's tasks sleep by the clock that its operators keep.
  func testTasksOfSignals() async throws {
    let scheduler = Scheduler.virtual()
    let heard = Heard<String>()
    let subject = Subject<Int>()
    subject.asyncMap { number in
      try await Task.sleep(for: .seconds(number), clock: scheduler.clock)
      return number
    }
    .timestamped(on: scheduler).map { "\($0.value) at \($0.time)" }.record(in: heard)
    subject.send(2)
    subject.send(1)
    await scheduler.clock.sleepers(1)
    scheduler.advance(by: .seconds(2))
    while heard.count < 1 { await Task.yield() }
    await scheduler.clock.sleepers(1)
    scheduler.advance(by: .seconds(1))
    while heard.count < 2 { await Task.yield() }
    subject.complete()
    while heard.count < 3 { await Task.yield() }
    XCTAssertEqual(heard.all, ["2 at 2.0 seconds", "1 at 3.0 seconds", "|"])
  }
}
