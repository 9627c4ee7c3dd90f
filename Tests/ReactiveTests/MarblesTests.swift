import Reactive
import ReactiveTesting
import XCTest

/// The marbles themselves.
final class MarblesTests: FaceTestCase {
  func testTextsThatAreNoDiagrams() {
    let marbles = Marbles()
    let wrong = [
      "-(a-b)": 3, "(a": 2, "a)": 1, "((a))": 1, "a|b": 2, "a#|": 2, "a!": 1, "-+": 1,
    ]
    for (text, index) in wrong {
      XCTAssertThrowsError(try marbles.cold(text)) { error in
        XCTAssertEqual((error as? MarbleSyntaxError)?.text, text)
        XCTAssertEqual((error as? MarbleSyntaxError)?.index, index, text)
      }
    }
    XCTAssertThrowsError(try marbles.expect(Signal<Int>.empty, "a|b"))
    XCTAssertThrowsError(try marbles.cold("ab", ["a": 1]))
    XCTAssertNoThrow(try marbles.cold(""))
  }

  func testStepsBeyondAllBounds() throws {
    for step in [Duration.zero, .seconds(-1), .seconds(1e20), .seconds(Int64.max)] {
      let marbles = Marbles(step: step)
      try marbles.expect(try marbles.cold("-a-b|"), "-a-b|")
    }
    let marbles = Marbles()
    XCTAssertEqual(marbles.diagram(of: Signal<Int>.empty, steps: .min), "|")
    XCTAssertEqual(marbles.diagram(of: Signal<Int>.empty, steps: .max), "|")
  }

  func testMismatchesAreThrown() throws {
    let marbles = Marbles()
    let source = try marbles.cold("-a-b|")
    for other in ["-a-b", "-a-b-|", "-a--b|", "-a-c|", "-a-b#", "-a-(bb)|", ""] {
      XCTAssertThrowsError(try marbles.expect(source, other)) { error in
        XCTAssertEqual((error as? MarbleMismatch)?.expected, other)
        XCTAssertEqual((error as? MarbleMismatch)?.heard, heard(source, other))
      }
    }

    XCTAssertThrowsError(try marbles.expect(source, "-a|", ["a": "a"])) { error in
      let position = (error as? MarbleMismatch)?.position
      XCTAssertEqual(position?.line, #line - 2)
      XCTAssertEqual("\(position?.filePath ?? "")", #filePath)
      XCTAssertEqual("\(position?.fileID ?? "")", #fileID)
      XCTAssertTrue("\(error)".hasPrefix("\(#filePath):\(#line - 5):"), "\(error)")
    }

    func heard(_ source: Signal<String>, _ diagram: String) -> String {
      marbles.diagram(of: source, steps: diagram.count + 1)
    }
  }

  func testTurns() throws {
    let marbles = Marbles()
    let turns = marbles.turns(try marbles.cold("-a#"), try marbles.cold("-b--|"))
    try marbles.expect(turns.retry(), "-a-b--|")
    try marbles.expect(turns, "-b--|")
  }

  func testHotAndCold() throws {
    let marbles = Marbles(step: .milliseconds(10))
    let hot = try marbles.hot("-a-b-c|")
    marbles.scheduler.advance(by: .milliseconds(20))
    try marbles.expect(hot, "-b-c|")
    // Who comes after the end of a subject hears nothing.
    try marbles.expect(hot, "--")
    let cold = try marbles.cold("-a #", ["a": 7])
    try marbles.expect(cold, "-a#", ["a": 7])
    try marbles.expect(cold.map { $0 + 1 }, "-8#")
    XCTAssertEqual(marbles.diagram(of: Signal<Int>([10, 20]), steps: 2), "10@0 20@0 |@0")
    XCTAssertEqual(marbles.diagram(of: Signal<Int>.never, steps: 3), "---")
  }
}
