import XCTest

@testable import RAC

final class SchedulerTests: LibraryTestCase {
  // MARK: Virtual time

  func testVirtualJobsRunByTimeThenByArrival() {
    let scheduler = VirtualScheduler()
    var order: [String] = []
    let jobs: [(String, Int64?)] = [
      ("c", 20), ("a", 10), ("plain", nil), ("d", 20), ("b", 10), ("plain too", nil),
    ]
    for (name, time) in jobs {
      let job = ClosureJob { order.append("\(name)@\(scheduler.now)") }
      if let time { scheduler.schedule(job, after: time) } else { scheduler.schedule(job) }
    }
    XCTAssertEqual(scheduler.advance(to: 10), Status.ok)
    XCTAssertEqual(order, ["plain@0", "plain too@0", "a@10", "b@10"])
    XCTAssertEqual(scheduler.step(1), Status.ok)
    XCTAssertEqual(order.last, "c@20")
    XCTAssertEqual(scheduler.step(.max), Status.ok)
    XCTAssertEqual(order.last, "d@20")
    XCTAssertEqual(scheduler.advance(to: 50), Status.ok)
    XCTAssertEqual(scheduler.now, 50)
  }

  func testVirtualJobsMayScheduleAndCancel() {
    let scheduler = VirtualScheduler()
    var order: [Int] = []
    let victim = ClosureJob { order.append(-1) }
    scheduler.schedule(victim, after: 5)
    scheduler.schedule(
      ClosureJob {
        order.append(1)
        XCTAssertTrue(Scheduler.current === scheduler)
        victim.dispose()
        scheduler.schedule(ClosureJob { order.append(2) }, after: 3)
        scheduler.schedule(ClosureJob { order.append(3) }, after: 100)
      }, after: 1)
    _ = scheduler.advance(to: 10)
    XCTAssertEqual(order, [1, 2])
    XCTAssertTrue(victim.isDisposed)
  }

  func testOneThreadAtATimeStepsAVirtualScheduler() {
    let scheduler = VirtualScheduler()
    var nested: rac_status?
    let elsewhere = Guarded<rac_status?>(Status.ok)
    scheduler.schedule(
      ClosureJob {
        nested = scheduler.step(1)
        inParallel(1) { _ in elsewhere.with { $0 = scheduler.step(1) } }
      })
    XCTAssertEqual(scheduler.step(1), Status.ok)
    XCTAssertEqual(nested, Status.ok, "its own jobs may")
    XCTAssertNil(elsewhere.value)
  }

  // MARK: Recursion

  func testADisposedRecursionStops() {
    let scheduler = VirtualScheduler()
    var count = 0
    withUnsafeMutablePointer(to: &count) { count in
      let recursion = Recursion(scheduler, Context(count, nil)) { context, handle in
        context!.assumingMemoryBound(to: Int.self).pointee += 1
        _ = rac_reschedule(handle)
      }
      recursion.request()
      _ = scheduler.step(10)
      recursion.scope.close()
      _ = scheduler.step(10)
      XCTAssertEqual(count.pointee, 10)
      XCTAssertFalse(recursion.request())
    }
  }

  // MARK: Background

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

  func testDatedJobsAndCancellation() {
    let scheduler = BackgroundScheduler(priority: 0, name: nil)
    let order = Guarded<[Int]>([])
    let far = ClosureJob { order.with { $0.append(-1) } }
    scheduler.schedule(far, after: 3_600_000_000_000)
    let due = DispatchTime.now() + .milliseconds(300)
    scheduler.schedule(ClosureJob { order.with { $0.append(2) } }, after: 300_000_000)
    scheduler.schedule(ClosureJob { order.with { $0.append(1) } }, after: 1_000_000)
    // Where the machine was so busy between the two that the first was due, nothing is said.
    let isInTime = DispatchTime.now() + .milliseconds(1) < due
    XCTAssertTrue(eventually { order.value.count == 2 })
    if isInTime { XCTAssertEqual(order.value, [1, 2]) }
    far.dispose()
    XCTAssertTrue(far.isDisposed)
  }
}
