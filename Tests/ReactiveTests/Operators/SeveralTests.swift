import Reactive
import ReactiveTesting
import XCTest

/// Operators with several sources.
final class SeveralTests: OperatorCase {
  func testMerge() throws {
    let a = try letters("-a--b|")
    let b = try letters("--x#")
    expect(a.merge(with: try letters("--x|")), "-ax-b|")
    expect(Signal.merge([a, b]), "-ax#")
    expect(Signal.merge([a, b], delayingErrors: true), "-ax-b#")
    expect(Signal.merge([a, b], bound: Bound(2, .dropOldest)), "-ax#")
    expect(Signal.race([a, b]), "-a--b|")
  }

  func testCombineLatest() throws {
    let a = try numbers("-1-2-|")
    let b = try numbers("--3-4-|")
    expect(a.combineLatest(with: b) { $0 + $1 }, "--456-|")
    expect(Signal.combineLatest([a, b]).map { $0[0] + $0[1] }, "--456-|")
    expect(
      Signal.combineLatest([a, try numbers("--3-#")], delayingErrors: true).map { $0[0] + $0[1] },
      "--45-#")
    let texts = combineLatest(a, b, try letters("x|")) { "\($0 + $1)\($2)" }
    XCTAssertEqual(marbles.diagram(of: texts, steps: 7), "4x@2 5x@3 6x@4 |@6")
  }

  func testZip() throws {
    let a = try numbers("-12-|")
    let b = try numbers("--3-4|")
    expect(a.zip(with: b).map { $0 + $1 }, "--4-(6|)")
    expect(Signal.zip([a, b]).map { $0[0] + $0[1] }, "--4-(6|)")
    expect(zip(a, b, a) { $0 + $1 + $2 }, "--5-(8|)")
  }

  func testWithLatest() throws {
    let source = try numbers("-1-2-3|")
    expect(source.withLatest(from: try numbers("--4-5")) { $0 + $1 }, "---6-8|")
    expect(source.withLatest(from: try letters("--4-#")).map(\.0), "---2#")
  }

  func testSample() throws {
    let source = try letters("-ab--c--|")
    expect(source.sample(on: try letters("---xx--x-")), "---bb--c|")
    expect(source.sampleNew(on: try letters("---xx--x-")), "---b---c|")
    let running = try marbles.cold("t-f--t", ["t": true, "f": false])
    expect(source.pausable(by: running), "-a---c--|")
    expect(
      try letters("-a-b-c|").pausable(
        by: running.delay(for: .milliseconds(500), on: marbles.scheduler), buffering: 2),
      "-a----(bc|)")
  }
}
