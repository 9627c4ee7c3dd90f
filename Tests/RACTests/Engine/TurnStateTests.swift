import XCTest

@testable import RAC

/// Turns on a host's queue, without threads.
final class TurnStateTests: XCTestCase {
  private enum Event { case begin, end }
  private typealias Row = (TurnState, Event, answer: Bool, TurnState)

  func testEveryStep() {
    let rows: [Row] = [
      (.idle, .begin, true, .running),
      (.running, .begin, false, .runningAndAsked),
      (.runningAndAsked, .begin, false, .runningAndAsked),
      (.running, .end, true, .idle),
      (.runningAndAsked, .end, false, .running),
    ]
    for (before, event, answer, after) in rows {
      var state = before
      XCTAssertEqual(event == .begin ? state.begin() : state.end(), answer, "\(before) \(event)")
      XCTAssertEqual(state, after, "\(before) \(event)")
    }
  }
}
