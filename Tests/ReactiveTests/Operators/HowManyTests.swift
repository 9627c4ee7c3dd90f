import Reactive
import ReactiveTesting
import XCTest

/// Operators that take, drop and put in values.
final class HowManyTests: OperatorCase {
  func testPrefix() throws {
    expect(try letters("-a-b-c|").prefix(2), "-a-(b|)")
    expect(try letters("-a-b-c|").prefix(0), "|")
    expect(try letters("-a-b-c|").prefix(-1), "|")
    expect(try numbers("-1-2-3-1|").prefix { $0 < 3 }, "-1-2-|")
    expect(try numbers("-1-2-3-1|").prefix(inclusive: true) { $0 < 3 }, "-1-2-(3|)")
    expect(try letters("-a-b-c|").prefixUntil(try letters("----x")), "-a-b|")
  }

  func testSuffix() throws {
    expect(try letters("-a-b-c|").suffix(2), "------(bc|)")
    expect(try letters("-a-b-#").suffix(2), "-----#")
  }

  func testDrop() throws {
    expect(try letters("-a-b-c|").dropFirst(), "---b-c|")
    expect(try letters("-a-b-c|").dropFirst(2), "-----c|")
    expect(try letters("-a-b-c|").dropFirst(-2), "-a-b-c|")
    expect(try numbers("-1-2-3-1|").drop { $0 < 3 }, "-----3-1|")
    expect(try letters("-a-b-c|").dropUntil(try letters("--x|")), "---b-c|")
  }

  func testElementAndEmpty() throws {
    expect(try letters("-a-b-c|").element(at: 1), "---(b|)")
    expect(try letters("-a-|").element(at: 1), "---#")
    expect(try letters("---|").replaceEmpty(with: "x"), "---(x|)")
    expect(try letters("-a-|").replaceEmpty(with: "x"), "-a-|")
    expect(try letters("--|").replaceEmpty(withSignal: try letters("-a|")), "---a|")
    expect(try letters("-a-b").replaced(by: try letters("--x-y|")), "-ax-y|")
  }

  func testPrependAndAppend() throws {
    expect(try letters("-a|").prepend("x"), "xa|")
    expect(try letters("-a|").prepend(contentsOf: try letters("-x|")), "-x-a|")
    expect(try letters("-a|").append(try letters("-x|")), "-a-x|")
    let later = try letters("-x|")
    expect(try letters("-a|").then { later }, "---x|")
    expect(Signal.concat([try letters("-a|"), try letters("b#"), later]), "-ab#")
    expect(
      Signal.concat([try letters("-a|"), try letters("b#"), later], delayingErrors: true), "-ab-x#")
  }
}
