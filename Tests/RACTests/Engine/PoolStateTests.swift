import XCTest

@testable import RAC

/// When workers are woken and started, without threads: events in, help out.
final class PoolStateTests: XCTestCase {
  private enum Event { case added, looks, called, finished }

  /// The help that is asked for after each event, and how many sleep then.
  private typealias Row = (Event, PoolState.Help, sleeping: Int)

  private func feed(_ event: Event, to state: inout PoolState) {
    switch event {
    case .added: state.added()
    case .looks: _ = state.looks(wasCalled: false)
    case .called: _ = state.looks(wasCalled: true)
    case .finished: state.finished()
    }
  }

  private func play(_ rows: [Row], limit: Int = 3, line: UInt = #line) -> PoolState {
    var state = PoolState(limit: limit)
    for (index, (event, help, sleeping)) in rows.enumerated() {
      feed(event, to: &state)
      XCTAssertEqual(state.needsHelp(), help, "event \(index)", line: line)
      XCTAssertEqual(state.sleeping, sleeping, "event \(index)", line: line)
    }
    return state
  }

  func testABurstCallsOneAtATime() {
    let state = play([
      (.added, .start, 0), (.added, .none, 0), (.added, .none, 0),
      (.called, .start, 0), (.called, .start, 0), (.called, .none, 0),
    ])
    XCTAssertEqual(state.workers, 3)
    XCTAssertEqual(state.working, 3)
    XCTAssertEqual(state.moves, 6)
  }

  func testWorkersThatSleepAreWokenBeforeOthersStart() {
    _ = play([
      (.added, .start, 0), (.called, .none, 0), (.finished, .none, 0), (.looks, .none, 1),
      (.added, .wake, 0), (.added, .none, 0), (.called, .start, 0),
    ])
  }

  func testACalledWorkerThatFindsNothingSleepsAndIsCalledAgain() {
    _ = play([
      (.added, .start, 0), (.called, .none, 0), (.added, .start, 0), (.finished, .none, 0),
      // The first one takes what the second was called for.
      (.looks, .none, 0), (.called, .none, 1), (.added, .wake, 0),
    ])
  }

  func testNoMoreThanTheLimit() {
    let state = play(
      [
        (.added, .start, 0), (.called, .none, 0), (.added, .none, 0), (.finished, .none, 0),
        (.looks, .none, 0),
      ], limit: 1)
    XCTAssertEqual(state.workers, 1)
  }

  func testAThreadThatDoesNotStart() {
    var state = PoolState(limit: 3)
    state.added()
    XCTAssertEqual(state.needsHelp(), .start)
    XCTAssertTrue(state.startFailed(), "no worker at all")
    XCTAssertEqual(state.needsHelp(), .start, "the next one tries again")
    XCTAssertTrue(state.looks(wasCalled: true))
    state.added()
    XCTAssertEqual(state.needsHelp(), .start)
    XCTAssertFalse(state.startFailed(), "the first one gets to it")
  }

  func testWorkAddedBesideALookoutIsSeenToLater() {
    var state = PoolState(limit: 3)
    state.added()
    // Nobody asks for help: a spinning worker looks.
    XCTAssertTrue(state.looks(wasCalled: false))
    XCTAssertEqual(state.needsHelp(), .none)
  }
}
