import CRAC
import Foundation
import Reactive
import XCTest

final class SchedulerTests: FaceTestCase {
  func testVirtualTime() {
    let heard = Heard<String>()
    let time = Scheduler.virtual()
    time.schedule { heard("now") }
    time.schedule(after: .milliseconds(10)) { heard("10") }
    time.schedule(after: .milliseconds(20)) { heard("never") }.dispose()
    let repeating = time.schedule(after: .milliseconds(5), every: .milliseconds(5)) {
      heard("every 5")
    }
    time.advance(by: .milliseconds(12))
    repeating.dispose()
    time.advance(by: .seconds(1))
    XCTAssertEqual(heard.all, ["now", "every 5", "10", "every 5"])
    XCTAssertEqual(time.now, .milliseconds(1012))
  }

  func testSchedulerOverAQueue() {
    let queue = DispatchQueue(label: "queue")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let scheduler = Scheduler(named: "queue") { queue.async(execute: $0) }
    let heard = Heard<Int>()
    let ended = expectation(description: "ended")
    let subject = Subject<Int>()
    subject.deliver(on: scheduler).observe {
      XCTAssertEqual(DispatchQueue.getSpecific(key: key), true)
      heard($0)
    } completion: { _ in
      ended.fulfill()
    }
    for number in 0..<1_000 { subject.send(number) }
    subject.complete()
    let later = expectation(description: "later")
    scheduler.schedule(after: .milliseconds(1)) {
      XCTAssertEqual(DispatchQueue.getSpecific(key: key), true)
      later.fulfill()
    }
    wait(for: [ended, later], timeout: 30)
    XCTAssertEqual(heard.all, Array(0..<1_000))
  }

  /// A queue that never runs anything keeps nothing beyond the scheduler.
  func testSchedulerOverAQueueThatStands() {
    let turns = Heard<@Sendable () -> Void>()
    let heard = Heard<Int>()
    let scheduler = Scheduler { turns($0) }
    for number in 1...3 { scheduler.schedule { heard(number) } }
    XCTAssertEqual(turns.count, 1)
    XCTAssertEqual(heard.all, [])
    turns.all[0]()
    XCTAssertEqual(heard.all, [1, 2, 3])
    scheduler.schedule { heard(4) }
    turns.empty()
  }

  func testTimesBeyondAllBounds() {
    let scheduler = Scheduler.virtual()
    let heard = Heard<String>()
    for long in [Duration.seconds(Int64.max), .seconds(Int64.max) * 10, .seconds(1e20)] {
      scheduler.schedule(after: long, every: long) {}.dispose()
      scheduler.advance(by: long)
      XCTAssertGreaterThan(scheduler.now, .seconds(4_000_000_000))
      Signal.just(1).timeout(after: long, on: scheduler).record(in: heard)
      XCTAssertGreaterThan(Bound(1, .wait, timeout: long).capacity, 0)
    }
    XCTAssertEqual(heard.all, ["1", "|", "1", "|", "1", "|"])
    Signal.just(1).delay(for: .seconds(-1e20), on: scheduler).map { "\($0)" }
      .observe { _ in XCTFail("a negative time") }
  }

  func testTimesThatAreRefused() {
    let scheduler = Scheduler.virtual()
    let refused = [
      scheduler.schedule(after: .seconds(-1)) { XCTFail("ran") },
      scheduler.schedule(after: .seconds(-1), every: .seconds(1)) { XCTFail("ran") },
      scheduler.schedule(after: .seconds(1), every: .zero) { XCTFail("ran") },
    ]
    scheduler.advance(by: .seconds(-1))
    scheduler.advance(by: .seconds(10))
    XCTAssertEqual(refused.map(\.isDisposed), [true, true, true])
  }

  func testDebounce() {
    let heard = Heard<String>()
    let time = Scheduler.virtual()
    let subject = Subject<String>()
    subject.debounce(for: .milliseconds(300), on: time).record(in: heard)
    subject.send("a")
    time.advance(by: .milliseconds(200))
    subject.send("ab")
    time.advance(by: .milliseconds(299))
    XCTAssertEqual(heard.all, [])
    time.advance(by: .milliseconds(1))
    XCTAssertEqual(heard.all, ["ab"])
  }

  func testBackground() async throws {
    let subject = Subject<Int>(replaying: 10)
    for number in 1...5 { subject.send(number) }
    subject.complete()
    let last = try await subject.deliver(on: .background(named: "test")).last()
    XCTAssertEqual(last, 5)
  }

  actor Adder {
    var sum = 0
    func add(_ number: Int) { sum += number }
  }

  /// What is delivered on an actor runs isolated to it, in order.
  func testAnActor() async throws {
    let adder = Adder()
    let subject = Subject<Int>()
    let done = expectation(description: "done")
    subject.observe(on: adder) { adder, number in
      adder.add(number)
    } completion: { _, _ in
      done.fulfill()
    }
    for number in 1...1000 { subject.send(number) }
    subject.complete()
    await fulfillment(of: [done], timeout: 60)
    let sum = await adder.sum
    XCTAssertEqual(sum, 500_500)
  }

  @MainActor
  func testTheMainActor() async throws {
    let subject = Subject<Int>()
    let heard = Heard<Int>()
    let done = expectation(description: "done")
    subject.observeOnMain {
      MainActor.assertIsolated()
      heard($0)
    } completion: { _ in
      done.fulfill()
    }
    await Task.detached {
      for number in 1...100 { subject.send(number) }
      subject.complete()
    }.value
    await fulfillment(of: [done], timeout: 60)
    XCTAssertEqual(heard.all, Array(1...100))
  }
}
