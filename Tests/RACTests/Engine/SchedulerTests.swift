import XCTest

@testable import RAC

final class SchedulerTests: LibraryTestCase {
  func testABackgroundSchedulerIsSerialAndFirstComeFirstServed() {
    let scheduler = BackgroundScheduler(priority: 0, name: nil)
    let perProducer = 20_000
    let done = DispatchSemaphore(value: 0)
    // Only the scheduler's jobs touch these.
    var next = [0, 0, 0, 0]
    var (outOfOrder, overlaps, isInside, left) = (0, 0, false, 4 * perProducer)
    inParallel(4) { producer in
      for number in 0..<perProducer {
        scheduler.schedule(
          ClosureJob {
            if isInside { overlaps += 1 }
            isInside = true
            if next[producer] != number { outOfOrder += 1 }
            next[producer] = number + 1
            isInside = false
            left -= 1
            if left == 0 { done.signal() }
          })
      }
    }
    XCTAssertEqual(done.wait(timeout: .now() + 20), .success)
    XCTAssertEqual(overlaps, 0)
    XCTAssertEqual(outOfOrder, 0)
    XCTAssertEqual(next, Array(repeating: perProducer, count: 4))
  }

  func testASchedulerLivesAsLongAsItHasWork() {
    weak var held: BackgroundScheduler?
    let done = DispatchSemaphore(value: 0)
    do {
      let scheduler = BackgroundScheduler(priority: 0, name: nil)
      held = scheduler
      for _ in 0..<1000 { scheduler.schedule(ClosureJob {}) }
      scheduler.schedule(ClosureJob { done.signal() }, after: 1_000_000)
    }
    XCTAssertEqual(done.wait(timeout: .now() + 20), .success)
    XCTAssertTrue(eventually { held == nil })
  }

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
