import XCTest

@testable import RAC

/// What a bound answers and counts, without threads.
final class BoundStateTests: XCTestCase {
  func testAnswersOfAFullStore() {
    let rows: [(Bound.Policy, waiting: Int, isForced: Bool, BoundState.Answer, dropped: UInt64)] = [
      (.dropOldest, 3, false, .kept, 0), (.dropOldest, 4, false, .replaced, 1),
      (.dropNewest, 4, false, .dropped, 1), (.dropNewest, 5, true, .dropped, 1),
      (.latest, 0, false, .kept, 0), (.latest, 1, false, .replaced, 1),
      (.error, 3, true, .kept, 0), (.error, 4, false, .overflow, 1),
      (.wait, 4, false, .full, 0), (.wait, 4, true, .kept, 0), (.wait, 9, true, .kept, 0),
      (.refuse, 3, false, .kept, 0), (.refuse, 4, false, .full, 0), (.refuse, 4, true, .kept, 0),
    ]
    for (index, row) in rows.enumerated() {
      var state = BoundState(4, row.0)
      let answer = state.comes(waiting: row.waiting, isForced: row.isForced)
      XCTAssertEqual(answer, row.3, "row \(index)")
      XCTAssertEqual(state.dropped, row.dropped, "row \(index)")
    }
  }

  func testTheLatestIsOneValueWhateverTheCapacity() {
    XCTAssertEqual(BoundState(100, .latest).capacity, 1)
    XCTAssertEqual(BoundState(100, .dropOldest).capacity, 100)
  }

  func testOnlyWaitAndRefuseHoldSendersBack() {
    let policies: [Bound.Policy] = [.dropOldest, .dropNewest, .latest, .error, .wait, .refuse]
    XCTAssertEqual(
      policies.map { BoundState(1, $0).holdsSendersBack }, [false, false, false, false, true, true])
  }

  func testCountsOfAllStores() {
    var state = BoundState(4, .wait)
    state.entered(1)
    state.entered(3)
    state.left(2)
    state.entered(1)
    XCTAssertEqual(state.length, 3)
    XCTAssertEqual(state.highest, 4)
  }

  func testValuesUnderWayTakeUpRoom() {
    var state = BoundState(4, .wait)
    XCTAssertEqual(state.room(waiting: 1), 3)
    state.begins(2)
    XCTAssertEqual(state.room(waiting: 1), 1)
    XCTAssertEqual(state.room(waiting: 3), -1)
    state.arrives(2)
    XCTAssertEqual(state.room(waiting: 4), 0)
  }
}
