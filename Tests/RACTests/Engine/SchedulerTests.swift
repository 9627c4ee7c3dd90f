import XCTest

@testable import RAC

final class SchedulerTests: LibraryTestCase {
  /// Jobs may block, also on one another: as long as the pool may grow, each gets a thread.
  func testAJobMayWaitForJobsOfOtherSchedulers() {
    let schedulers = (0..<8).map { _ in BackgroundScheduler(priority: 0, name: nil) }
    for round in 0..<50 {
      let gates = (0...8).map { _ in DispatchSemaphore(value: 0) }
      let results = Guarded<[DispatchTimeoutResult]>([])
      for (place, scheduler) in schedulers.enumerated() {
        scheduler.schedule(
          ClosureJob {
            let result = gates[place + 1].wait(timeout: .now() + 20)
            results.with { $0.append(result) }
            gates[place].signal()
          })
      }
      usleep(200)
      gates[8].signal()
      XCTAssertTrue(eventually { results.value.count == 8 })
      if results.value.contains(.timedOut) { return XCTFail("stuck in round \(round)") }
    }
  }

  func testHigherPrioritiesGoFirst() {
    let blocked = DispatchSemaphore(value: 0)
    let started = Guarded(0)
    // As many as the pool has threads: the next job has to wait for one of these.
    let workers = max(8, ProcessInfo.processInfo.processorCount * 4)
    for _ in 0..<workers {
      BackgroundScheduler(priority: 0, name: nil).schedule(
        ClosureJob {
          started.with { $0 += 1 }
          blocked.wait()
        })
    }
    XCTAssertTrue(eventually { started.value == workers })
    let order = Guarded<[Int32]>([])
    for priority: Int32 in [-32768, -2, 0, 2] {
      BackgroundScheduler(priority: priority, name: nil).schedule(
        ClosureJob { order.with { $0.append(priority) } })
    }
    usleep(2000)
    XCTAssertEqual(order.value, [], "all threads are taken")
    blocked.signal()
    XCTAssertTrue(eventually { order.value.count == 4 })
    XCTAssertEqual(order.value, [2, 0, -2, -32768])
    for _ in 1..<workers { blocked.signal() }
  }
}
