import XCTest

@testable import RAC

final class JobQueueTests: LibraryTestCase {
  private final class Numbered: Job {
    let producer: Int
    let number: Int

    init(_ producer: Int, _ number: Int) {
      self.producer = producer
      self.number = number
    }
  }

  func testFirstComeFirstServed() {
    let queue = JobQueue()
    XCTAssertTrue(queue.isEmpty)
    XCTAssertNil(queue.pop())
    for number in 0..<3 { queue.push(Numbered(0, number)) }
    XCTAssertEqual(number(queue.pop()), 0)
    for number in 3..<6 { queue.push(Numbered(0, number)) }
    XCTAssertFalse(queue.isEmpty)
    XCTAssertEqual((1..<6).map { _ in number(queue.pop()) }, [1, 2, 3, 4, 5])
    XCTAssertNil(queue.pop())
    XCTAssertTrue(queue.isEmpty)
  }

  func testTheCountTakesInWhatCameSince() {
    let queue = JobQueue()
    queue.gather()
    XCTAssertEqual(queue.readyCount, 0)
    for number in 0..<3 { queue.push(Numbered(0, number)) }
    XCTAssertTrue(queue.hasArrivals)
    queue.gather()
    XCTAssertEqual(queue.readyCount, 3)
    XCTAssertFalse(queue.hasArrivals)
    for number in 3..<5 { queue.push(Numbered(0, number)) }
    queue.gather()
    XCTAssertEqual(queue.readyCount, 5)
    XCTAssertEqual((0..<5).map { _ in number(queue.popReady()) }, [0, 1, 2, 3, 4])
    XCTAssertNil(queue.popReady())
  }

  func testOnlyAConsumerThatSleepsIsWoken() {
    let queue = JobQueue()
    XCTAssertTrue(queue.push(Numbered(0, 0)), "the first finds it asleep")
    XCTAssertFalse(queue.push(Numbered(0, 1)), "somebody else wakes it")
    XCTAssertEqual(number(queue.pop()), 0)
    XCTAssertFalse(queue.push(Numbered(0, 2)), "it is awake")
    XCTAssertFalse(queue.fallAsleep(), "there is something left")
    XCTAssertEqual((1..<3).map { _ in number(queue.pop()) }, [1, 2])
    XCTAssertTrue(queue.fallAsleep())
    XCTAssertTrue(queue.push(Numbered(0, 3)))
    queue.gather()
    XCTAssertEqual(number(queue.popReady()), 3)
    XCTAssertTrue(queue.stayAwake())
    XCTAssertFalse(queue.push(Numbered(0, 4)))
    XCTAssertFalse(queue.fallAsleep())
    XCTAssertEqual(number(queue.pop()), 4)
  }

  func testAQueueThatGoesDisposesItsJobs() {
    let jobs = (0..<4).map { Numbered(0, $0) }
    var queue: JobQueue? = JobQueue()
    for job in jobs { queue!.push(job) }
    queue!.pop()?.drop()
    queue = nil
    XCTAssertEqual(jobs.map { $0.isDisposed }, [false, true, true, true])
  }

  func testFourProducersLoseNothingAndKeepTheirOrder() {
    let queue = JobQueue()
    let perProducer = 50_000
    var next = [0, 0, 0, 0]
    var outOfOrder = 0
    inParallel(5) { thread in
      if thread < 4 {
        for number in 0..<perProducer { queue.push(Numbered(thread, number)) }
        return
      }
      var taken = 0
      while taken < 4 * perProducer {
        guard let job = queue.pop()?.takeRetainedValue() as? Numbered else {
          sched_yield()
          continue
        }
        if job.number != next[job.producer] { outOfOrder += 1 }
        next[job.producer] += 1
        taken += 1
      }
    }
    XCTAssertEqual(outOfOrder, 0)
    XCTAssertEqual(next, Array(repeating: perProducer, count: 4))
    XCTAssertTrue(queue.isEmpty)
  }

  private func number(_ job: Unmanaged<Job>?) -> Int? {
    (job?.takeRetainedValue() as? Numbered)?.number
  }
}
