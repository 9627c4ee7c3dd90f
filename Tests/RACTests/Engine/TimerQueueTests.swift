import XCTest

@testable import RAC

final class TimerQueueTests: LibraryTestCase {
  private func job() -> ClosureJob { ClosureJob {} }

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
        XCTAssertTrue(pop(queue, time) === expected)
      }
      XCTAssertEqual(queue.firstDeadline, model.first?.deadline)
    }
    for entry in model { XCTAssertTrue(pop(queue, .max) === entry.job) }
    XCTAssertNil(queue.popDue(.max))
  }

  func testWhatIsDueComesTogetherAndInOrder() {
    let queue = TimerQueue()
    let jobs = (0..<300).map { _ in job() }
    for (index, job) in jobs.enumerated() { _ = queue.insert(job, at: Int64(index % 3)) }
    var order: [Int] = []
    while true {
      var next = queue.takeDue(1)
      if next == 0 { break }
      while let pointer = UnsafeRawPointer(bitPattern: next) {
        let job = Unmanaged<Job>.fromOpaque(pointer).takeRetainedValue()
        order.append(jobs.firstIndex { $0 === job }!)
        next = job.nextJob
      }
    }
    XCTAssertEqual(order, (0..<200).map { $0 < 100 ? $0 * 3 : ($0 - 100) * 3 + 1 })
    XCTAssertEqual(queue.firstDeadline, 2)
    queue.clear()
  }

  /// Entries of cancelled jobs are thrown out together, and numbers are used again.
  func testManyCancellations() {
    for isExact in [true, false] {
      var generator = SeededGenerator(seed: 11)
      let queue = TimerQueue(isExact: isExact)
      var kept: [(deadline: Int64, job: ClosureJob)] = []
      for round in 0..<20 {
        var gone: [ClosureJob] = []
        for arrival in 0..<1000 {
          let deadline = Int64.random(in: 0..<1000, using: &generator)
          let job = job()
          _ = queue.insert(job, at: deadline)
          if arrival % 50 == round { kept.append((deadline, job)) } else { gone.append(job) }
        }
        for job in gone.shuffled(using: &generator) { queue.cancel(job) }
        if isExact { XCTAssertEqual(queue.firstDeadline, kept.map { $0.deadline }.min()) }
      }
      // Stable: equal deadlines by arrival.
      let expected = kept.enumerated().sorted { a, b in
        (a.element.deadline, a.offset) < (b.element.deadline, b.offset)
      }
      for (_, entry) in expected { XCTAssertTrue(pop(queue, .max) === entry.job) }
      XCTAssertNil(queue.popDue(.max))
      XCTAssertNil(queue.firstDeadline)
    }
  }

  func testTheOrderOutlivesTheCountOfArrivals() {
    var heap = TimerHeap(arrivals: 0xFFFF_FFFF - 50)
    var numbers: [UInt32] = []
    for payload in 1...200 {
      numbers.append(heap.insert(UInt(payload) * 2, at: Int64(payload % 2)))
    }
    heap.remove(numbers[9])
    var order: [UInt] = []
    while heap.count > 0 { order.append(heap.removeFirst(upTo: .max).0 / 2) }
    let all = (1...200).filter { $0 != 10 }
    XCTAssertEqual(order, (all.filter { $0 % 2 == 0 } + all.filter { $0 % 2 == 1 }).map(UInt.init))
  }

  private func pop(_ queue: TimerQueue, _ time: Int64) -> Job? {
    queue.popDue(time).map { $0.job.takeRetainedValue() }
  }
}
