import XCTest

@testable import RAC

/// When a sleeping sender is called, without threads.
final class SleepingSendersTests: XCTestCase {
  private func senders(_ count: Int, capacity: Int = 8) -> SleepingSenders {
    var senders = SleepingSenders(capacity: capacity)
    for _ in 0..<count { _ = senders.joins(isCalledForFew: true) }
    return senders
  }

  func testHalfOfTheCapacityIsEnoughAndAtMostThirtyTwo() {
    let capacities = [1, 2, 3, 8, 64, 65, 1000]
    XCTAssertEqual(
      capacities.map { SleepingSenders(capacity: $0).enough }, [1, 1, 1, 4, 32, 32, 32])
  }

  func testOneIsCalledAtATime() {
    var senders = senders(2)
    XCTAssertEqual(senders.call(all: false), .wakesOne)
    XCTAssertEqual(senders.call(all: false), .none)
    XCTAssertFalse(senders.awaitsPlace(room: 8))
    senders.looks()
    XCTAssertTrue(senders.awaitsPlace(room: 1))
    XCTAssertEqual(senders.call(all: false), .wakesOne)
  }

  func testAClosedStoreCallsAllEvenIfOneWasCalled() {
    var senders = senders(3)
    _ = senders.call(all: false)
    XCTAssertEqual(senders.call(all: true), .wakesAll)
  }

  func testNoneIsCalledWhereNoneSleeps() {
    var senders = senders(0)
    XCTAssertEqual(senders.call(all: true), .none)
    XCTAssertFalse(senders.isCalled)
    XCTAssertFalse(senders.awaitsPlace(room: 8))
  }

  func testASpinningSenderSeesItsCallButNotThatOfAll() {
    var senders = senders(1)
    senders.watches()
    XCTAssertEqual(senders.call(all: false), .seen)
    senders.looks()
    XCTAssertEqual(senders.call(all: true), .wakesAll)
    senders.looks()
    senders.stopsWatching()
    XCTAssertEqual(senders.call(all: false), .wakesOne)
  }

  func testOnlyTheFirstSpins() {
    var senders = SleepingSenders(capacity: 8)
    XCTAssertTrue(senders.joins(isCalledForFew: true))
    XCTAssertFalse(senders.joins(isCalledForFew: true))
    var others = SleepingSenders(capacity: 8)
    XCTAssertFalse(others.joins(isCalledForFew: false))
  }

  func testOneInAHurryIsCalledForAnyRoom() {
    var senders = senders(2)
    XCTAssertFalse(senders.isCalled(for: 3))
    XCTAssertTrue(senders.isCalled(for: 4))
    senders.hurries()
    XCTAssertTrue(senders.isCalled(for: 1))
    senders.leaves(wasHurried: true)
    XCTAssertFalse(senders.isCalled(for: 1))
    XCTAssertEqual(senders.count, 1)
  }

  func testASpinningOneIsCalledForAnyRoom() {
    var senders = senders(1)
    senders.watches()
    XCTAssertTrue(senders.isCalled(for: 1))
  }

  func testOneThatGotInCallsTheNextUnlessAValueWillDoIt() {
    var senders = senders(2)
    XCTAssertTrue(senders.callsNext(waiting: 0, isLast: true))
    XCTAssertFalse(senders.callsNext(waiting: 1, isLast: true))
    XCTAssertTrue(senders.callsNext(waiting: 1, isLast: false))
    senders.hurries()
    XCTAssertTrue(senders.callsNext(waiting: 1, isLast: true))
    XCTAssertTrue(SleepingSenders(capacity: 2).callsNext(waiting: 1, isLast: true))
  }

  func testNapsGrowWithTheirNumberForTheyTakeTurns() {
    XCTAssertEqual(senders(3).nap, 3 * senders(1).nap)
  }
}
