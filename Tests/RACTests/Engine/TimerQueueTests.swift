import XCTest

@testable import RAC

final class TimerQueueTests: LibraryTestCase {
  private func job() -> ClosureJob { ClosureJob {} }

  func testOrderedByDeadlineThenByArrival() {
    let queue = TimerQueue()
    let deadlines: [Int64] = [30, 10, 20, 10, 30, 10]
    let jobs = deadlines.map { _ in job() }
    let wasFirst = zip(jobs, deadlines).map { queue.insert($0, at: $1) }
    XCTAssertEqual(wasFirst, [true, true, false, false, false, false])
    XCTAssertEqual(queue.firstDeadline, 10)
    XCTAssertEqual(drain(queue, jobs), [1, 3, 5, 2, 0, 4])
    XCTAssertNil(queue.firstDeadline)
  }

  func testNothingBeforeItsTime() {
    let queue = TimerQueue()
    let late = job()
    _ = queue.insert(late, at: 11)
    XCTAssertNil(queue.popDue(10))
    XCTAssertTrue(queue.popDue(11) === late)
    XCTAssertNil(queue.popDue(.max))
  }

  func testCancelFromTheMiddle() {
    for victim in 0..<7 {
      let queue = TimerQueue()
      let jobs = (0..<7).map { _ in job() }
      for (index, job) in jobs.enumerated() { _ = queue.insert(job, at: Int64(index * 7 % 5)) }
      queue.cancel(jobs[victim])
      queue.cancel(jobs[victim])
      let order = [0, 5, 3, 1, 6, 4, 2].filter { $0 != victim }
      XCTAssertEqual(drain(queue, jobs), order)
    }
  }

  func testDisposingAJobTakesItOutAndFreesIt() {
    let queue = TimerQueue()
    weak var held: ClosureJob?
    do {
      let job = job()
      held = job
      job.timers = queue
      _ = queue.insert(job, at: 100)
      job.dispose()
    }
    XCTAssertNil(held)
    XCTAssertNil(queue.firstDeadline)
  }

  func testAJobDisposedBeforeItsInsertionStaysOut() {
    let queue = TimerQueue()
    let job = job()
    job.timers = queue
    job.dispose()
    _ = queue.insert(job, at: 1)
    XCTAssertNil(queue.popDue(.max))
  }

  func testClearDisposesWhatIsLeft() {
    let queue = TimerQueue()
    let jobs = (0..<5).map { _ in job() }
    for job in jobs { _ = queue.insert(job, at: 5) }
    queue.clear()
    XCTAssertTrue(jobs.allSatisfy { $0.isDisposed })
    XCTAssertNil(queue.firstDeadline)
  }

  func testAgainstASortedModel() {
    var generator = SeededGenerator(seed: 7)
    let queue = TimerQueue()
    var model: [(deadline: Int64, arrival: Int, job: ClosureJob)] = []
    for arrival in 0..<20_000 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<5:
        let entry = (Int64.random(in: 0..<50, using: &generator), arrival, job())
        let place = model.firstIndex { $0.deadline > entry.0 } ?? model.count
        XCTAssertEqual(queue.insert(entry.2, at: entry.0), place == 0)
        model.insert(entry, at: place)
      case 5..<7:
        guard let place = model.indices.randomElement(using: &generator) else { continue }
        queue.cancel(model.remove(at: place).job)
      default:
        let time = Int64.random(in: 0..<50, using: &generator)
        let expected = model.first.flatMap { $0.deadline <= time ? $0.job : nil }
        if expected != nil { model.removeFirst() }
        XCTAssertTrue(queue.popDue(time) === expected)
      }
      XCTAssertEqual(queue.firstDeadline, model.first?.deadline)
    }
    for entry in model { XCTAssertTrue(queue.popDue(.max) === entry.job) }
    XCTAssertNil(queue.popDue(.max))
  }

  private func drain(_ queue: TimerQueue, _ jobs: [ClosureJob]) -> [Int] {
    var order: [Int] = []
    while let next = queue.popDue(.max) { order.append(jobs.firstIndex { $0 === next }!) }
    return order
  }
}
