import CRAC
import Foundation
import Reactive
import XCTest

/// Bounds where values enter: senders that wait, are refused, or hear what was dropped.
final class BoundTests: FaceTestCase {
  func testSendersAreRefused() throws {
    let heard = Heard<String>()
    let bound = Bound(2, .refuse)
    let slow = Scheduler.virtual()
    let requests = try Subject<Int>(bound: bound)
    requests.deliver(on: slow, bound: bound).record(in: heard)
    XCTAssertEqual((1...3).map { requests.send($0) }, [.delivered, .delivered, .full])
    XCTAssertEqual("\(requests.send(3))", "full")
    slow.advance(by: .zero)
    XCTAssertEqual(requests.send(3), .delivered)
    requests.complete()
    slow.advance(by: .zero)
    XCTAssertEqual(heard.all, ["1", "2", "3", "|"])
    XCTAssertEqual([bound.highest, bound.length, bound.dropped], [2, 0, 0])
  }

  func testValuesThatWaitAreCounted() {
    let slow = Scheduler.virtual()
    let numbers = Subject<Int>()
    numbers.deliver(on: slow).observe { _ in }
    for number in 1...3 { numbers.send(number) }
    XCTAssertEqual(queuedValues, 3)
    slow.advance(by: .zero)
    XCTAssertEqual(queuedValues, 0)
  }

  func testCounters() {
    let lag = Counter("redis orders: lag")
    lag.add()
    lag.add(-3)
    XCTAssertEqual(lag.value, -2)
    lag.value = 12
    XCTAssertEqual(lag.value, 12)
  }

  /// Nothing is lost, and never more wait than may.
  func testSendersWait() throws {
    let bound = Bound(4, .wait)
    let heard = Heard<Int>()
    let done = expectation(description: "done")
    let numbers = try Subject<Int>(bound: bound)
    numbers.deliver(on: .background(), bound: bound).observe {
      if $0 % 100 == 0 { usleep(1000) }
      heard($0)
    } completion: { _ in
      done.fulfill()
    }
    Thread {
      for number in 1...1000 { numbers.send(number) }
      numbers.complete()
    }.start()
    wait(for: [done], timeout: 60)
    XCTAssertEqual(heard.all, Array(1...1000))
    XCTAssertLessThanOrEqual(bound.highest, 4)
  }

  func testWaitingHasATimeAndIsNotDoneInside() throws {
    let bound = Bound(1, .wait, timeout: .milliseconds(1))
    let slow = Scheduler.virtual()
    let numbers = try Subject<Int>(bound: bound)
    let heard = Heard<SendResult>()
    let trigger = Subject<Int>()
    trigger.observe { heard(numbers.send($0)) }
    let observing = numbers.deliver(on: slow, bound: bound).observe { _ in }
    XCTAssertEqual([numbers.send(1), numbers.send(2)], [.delivered, .timedOut])
    trigger.send(3)
    XCTAssertEqual(heard.all.map(\.description), ["wouldDeadlock"])
    XCTAssertFalse(SendResult.timedOut.isAccepted)
    observing.dispose()
    slow.advance(by: .zero)
    XCTAssertEqual(numbers.send(4), .delivered)
  }

  /// Laws 4 and 23: threads that are faster than an observer wait for room; no modification is
  /// lost.
  func testModificationsWait() async throws {
    let bound = Bound(4, .wait)
    let count = try Property(0, bound: bound)
    count.observe { if $0 % 50 == 0 { usleep(1000) } }
    let done = (0..<4).map { expectation(description: "\($0)") }
    for thread in done {
      Thread {
        for _ in 1...200 { count.modify { $0 += 1 } }
        thread.fulfill()
      }.start()
    }
    await fulfillment(of: done, timeout: 60)
    while bound.length > 0 { usleep(1000) }
    XCTAssertEqual(count.value, 800)
    XCTAssertLessThanOrEqual(bound.highest, 4)

    let one = try Property(0, bound: Bound(1, .wait))
    let answers = Heard<SendResult>()
    let observing = one.observe {
      if $0 == 1 { for _ in 1...2 { answers(one.modify { $0 += 1 }) } }
    }
    let task = await Task { one.modify { $0 += 1 } }.value
    XCTAssertEqual([task] + answers.all, [.delivered, .queued, .wouldDeadlock])
    XCTAssertEqual(one.value, 2)
    observing.dispose()
    XCTAssertThrowsError(try Property(0, bound: Bound(1, .dropOldest)))
  }

  /// A task that waited would hold up the thread that the others need to make room.
  func testATaskDoesNotWait() async throws {
    let bound = Bound(1, .wait, timeout: .seconds(1))
    let observed = Bound(1, .wait, timeout: .seconds(1))
    let slow = Scheduler.virtual()
    let heard = Heard<Int>()
    let answers = Heard<String>()
    let numbers = try Subject<Int>(bound: bound)
    numbers.deliver(on: slow, bound: bound).observe { heard($0) }
    let made = Signal<Int>(bound: observed) { observer in
      for number in 1...2 { answers("\(observer.send(number))") }
      observer.complete()
    }
    await withTaskGroup(of: Void.self) { tasks in
      for _ in 1...2 {
        tasks.addTask { for _ in 1...2 { answers("\(numbers.send(1))") } }
      }
      tasks.addTask { made.deliver(on: slow, bound: observed).observe { heard($0) } }
    }
    let refused = Array(repeating: "wouldDeadlock", count: 4)
    XCTAssertEqual(answers.all.sorted(), ["delivered", "delivered"] + refused)
    numbers.complete()
    slow.advance(by: .zero)
    XCTAssertEqual(heard.all, [1, 1])
  }

  private func producer(_ count: Int) -> Signal<Int> {
    Signal { observer in
      let task = Task {
        for number in 1...count { try await observer.sendWhenRoom(number) }
        observer.complete()
      }
      observer.onTermination { task.cancel() }
    }
  }

  /// Law 28: of one producer that waits no more than the capacity.
  func testAProducerWaitsForRoom() async {
    for policy in [Bound.Policy.wait, .refuse] {
      let bound = Bound(4, policy)
      let heard = Heard<Int>()
      let done = expectation(description: "done")
      producer(1000).deliver(on: .background(), bound: bound).observe {
        if $0 % 100 == 0 { usleep(1000) }
        heard($0)
      } completion: { _ in
        done.fulfill()
      }
      await fulfillment(of: [done], timeout: 60)
      XCTAssertEqual(heard.all, Array(1...1000))
      XCTAssertLessThanOrEqual(bound.highest, 4)
    }
  }

  /// Tasks that all send to one subject: no value is lost, none is refused.
  func testTasksWaitForRoom() async throws {
    for policy in [Bound.Policy.wait, .refuse] {
      let bound = Bound(4, policy)
      let heard = Heard<Int>()
      let done = expectation(description: "done")
      let numbers = try Subject<Int>(bound: bound)
      numbers.deliver(on: .background(), bound: bound).observe {
        if $0 % 100 == 0 { usleep(1000) }
        heard($0)
      } completion: { _ in
        done.fulfill()
      }
      try await withThrowingTaskGroup(of: Bool.self) { tasks in
        for first in 0..<4 {
          tasks.addTask {
            var accepted = true
            for number in stride(from: first, to: 1000, by: 4) {
              accepted = try await numbers.sendWhenRoom(number).isAccepted && accepted
            }
            return accepted
          }
        }
        for try await accepted in tasks { XCTAssertTrue(accepted) }
      }
      numbers.complete()
      await fulfillment(of: [done], timeout: 60)
      XCTAssertEqual(heard.all.sorted(), Array(0..<1000))
      XCTAssertLessThanOrEqual(bound.highest, 4)
    }
  }

  /// The actor delivers what its own task waits for.
  @MainActor func testTheMainActorWaitsForRoom() async throws {
    let bound = Bound(2, .wait)
    let heard = Heard<Int>()
    let sent = Heard<Int>()
    let numbers = try Subject<Int>(bound: bound)
    numbers.handleNext { _ in MainActor.assumeIsolated { sent(1) } }
      .deliver(on: .main, bound: bound).observe { heard($0) }
    for number in 1...100 { try await numbers.sendWhenRoom(number) }
    numbers.complete()
    while heard.count < 100 { await Task.yield() }
    XCTAssertEqual(heard.all, Array(1...100))
    XCTAssertEqual(sent.count, 100)
  }

  func testCancellingEndsTheWait() async throws {
    let bound = Bound(1, .wait)
    let slow = Scheduler.virtual()
    let heard = Heard<Int>()
    let numbers = try Subject<Int>(bound: bound)
    numbers.deliver(on: slow, bound: bound).observe { heard($0) }
    let task = Task { for number in 1...2 { try await numbers.sendWhenRoom(number) } }
    while bound.length == 0 { await Task.yield() }
    try await Task.sleep(for: .milliseconds(10))
    task.cancel()
    let result = await task.result
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    slow.advance(by: .zero)
    XCTAssertEqual(heard.all, [1])
    // There is room: nothing to wait for.
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await numbers.sendWhenRoom(3)
    }
    late.cancel()
    let answer = try await late.value
    XCTAssertEqual(answer, .delivered)
    numbers.complete()
    slow.advance(by: .zero)
    XCTAssertEqual(heard.all, [1, 3])
  }

  /// A subject that is sent an end, and a subscription that is disposed.
  func testAnEndEndsTheWait() async throws {
    let bound = Bound(1, .refuse)
    let slow = Scheduler.virtual()
    let numbers = try Subject<Int>(bound: bound)
    numbers.deliver(on: slow, bound: bound).observe { _ in }
    let sending = Task { (try await numbers.sendWhenRoom(1), try await numbers.sendWhenRoom(2)) }
    while bound.length == 0 { await Task.yield() }
    try await Task.sleep(for: .milliseconds(10))
    numbers.complete()
    let (first, second) = try await sending.value
    XCTAssertEqual([first, second], [.delivered, .ended])
    slow.advance(by: .zero)

    let answers = Heard<SendResult>()
    let done = expectation(description: "done")
    let below = Bound(1, .wait)
    let subscription = Signal<Int> { observer in
      Task {
        for number in 1...3 { answers(try await observer.sendWhenRoom(number)) }
        done.fulfill()
      }
    }.deliver(on: slow, bound: below).observe { _ in }
    while answers.count == 0 { await Task.yield() }
    try await Task.sleep(for: .milliseconds(10))
    XCTAssertEqual(answers.all, [.delivered])
    subscription.dispose()
    await fulfillment(of: [done], timeout: 60)
    XCTAssertEqual(answers.all, [.delivered, .ended, .ended])
  }

  /// It takes no element for which there is no room.
  func testASequenceIsHeldUp() async throws {
    let bound = Bound(4, .wait)
    let slow = Scheduler.virtual()
    let taken = Heard<Int>()
    let heard = Heard<String>()
    let numbers = AsyncStream<Int> {
      taken(1)
      return taken.count <= 1000 ? taken.count : nil
    }
    Signal(from: numbers).deliver(on: slow, bound: bound).record(in: heard)
    while taken.count < 4 { await Task.yield() }
    try await Task.sleep(for: .milliseconds(50))
    XCTAssertEqual(taken.count, 4)
    while heard.all.last != "|" {
      slow.advance(by: .zero)
      await Task.yield()
    }
    XCTAssertEqual(heard.all, (1...1000).map { "\($0)" } + ["|"])
    XCTAssertLessThanOrEqual(bound.highest, 4)
  }

  /// A signal that is made with a closure has a bound for each of its observers.
  func testASignalWithABound() {
    let bound = Bound(1, .dropNewest)
    let heard = Heard<String>()
    let kept = Heard<Observer<Int>>()
    let answers = Heard<SendResult>()
    let signal = Signal<Int>(bound: bound) { observer in
      kept(observer)
      observer.send(1)
    }
    signal.handleNext { number in
      if number == 1 { (2...3).forEach { answers(kept.all.last!.send($0)) } }
    }.record(in: heard)
    XCTAssertEqual(answers.all, [.queued, .dropped])
    XCTAssertEqual(heard.all, ["1", "2"])
    XCTAssertEqual(bound.dropped, 1)
    Signal<Int>(bound: Bound(1, .wait)) { _ in throw CancellationError() }.record(in: heard)
    XCTAssertEqual(heard.all.last, "# CancellationError()")
    kept.empty()
  }

  /// What is refused says so, and where everything else would have been heard.
  func testWhatIsRefused() throws {
    let heard = Heard<String>()
    let dropping = Bound(1, .dropOldest)
    let first = try Subject<Int>(bound: dropping)
    XCTAssertThrowsError(try Subject<Int>(bound: dropping)) {
      XCTAssertEqual(($0 as? EngineError)?.code, Int(RAC_EBUSY))
    }
    @Sendable func code(_ end: Completion) -> String {
      if case .failed(let error as EngineError) = end { "\(error.code)" } else { "\(end)" }
    }
    Signal<Int>(bound: dropping) { _ in XCTFail("ran") }
      .observe { _ in
      } completion: {
        heard(code($0))
      }
    XCTAssertEqual(heard.all, ["\(RAC_EBUSY)"])
    withExtendedLifetime(first) {}
  }
}
