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

  /// A subject, a property and signals of different types.
  func testSeveralOfMixedKinds() throws {
    let property = Property(2)
    let subject = Subject<String>(current: "s")
    let a = try numbers("-1--4|")
    let end = Signal.just(0.5)
    let texts = combineLatest(a, property, subject, end) { "\($0)\($1)\($2)\($3)" }
    let heard = Heard<String>()
    texts.record(in: heard)
    marbles.scheduler.advance(by: .seconds(9))
    XCTAssertEqual(heard.all, ["12s0.5", "42s0.5"])
    expect(zip(a, property, subject, end) { "\($0)\($1)\($2)\($3)" }.map(\.count), "-(6|)")
    let merged = merge(a, property.prefix(1), Signal.just(3))
    XCTAssertEqual(marbles.diagram(of: merged, steps: 6), "2@0 3@0 1@1 4@4 |@5")
    expect(a.withLatest(from: property, subject, end) { $0 + $1 + $2.count + Int($3) }, "-4--7|")
  }

  func testTwoToEight() throws {
    let s = Signal.just(1)
    let p = Property(1)
    let heard = Heard<Int>()
    combineLatest(s, p) { $0 + $1 }.observe { heard($0) }
    combineLatest(s, p, s) { $0 + $1 + $2 }.observe { heard($0) }
    combineLatest(s, p, s, p) { $0 + $1 + $2 + $3 }.observe { heard($0) }
    combineLatest(s, p, s, p, s).observe { heard($0 + $1 + $2 + $3 + $4) }
    combineLatest(s, p, s, p, s, p).observe { heard($0 + $1 + $2 + $3 + $4 + $5) }
    combineLatest(s, p, s, p, s, p, s).observe { heard($0 + $1 + $2 + $3 + $4 + $5 + $6) }
    combineLatest(s, p, s, p, s, p, s, p).observe { heard($0 + $1 + $2 + $3 + $4 + $5 + $6 + $7) }
    XCTAssertEqual(heard.all, Array(2...8))
    heard.empty()
    zip(s, p) { $0 + $1 }.observe { heard($0) }
    zip(s, p, s).observe { heard($0 + $1 + $2) }
    zip(s, p, s, p) { $0 + $1 + $2 + $3 }.observe { heard($0) }
    zip(s, p, s, p, s).observe { heard($0 + $1 + $2 + $3 + $4) }
    zip(s, p, s, p, s, p).observe { heard($0 + $1 + $2 + $3 + $4 + $5) }
    zip(s, p, s, p, s, p, s).observe { heard($0 + $1 + $2 + $3 + $4 + $5 + $6) }
    zip(s, p, s, p, s, p, s, p).observe { heard($0 + $1 + $2 + $3 + $4 + $5 + $6 + $7) }
    XCTAssertEqual(heard.all, Array(2...8))
    heard.empty()
    merge(s, s).count().observe { heard($0) }
    merge(s, s, s).count().observe { heard($0) }
    merge(s, s, s, s).count().observe { heard($0) }
    merge(s, s, s, s, s).count().observe { heard($0) }
    merge(s, s, s, s, s, s).count().observe { heard($0) }
    merge(s, s, s, s, s, s, s).count().observe { heard($0) }
    merge(s, s, s, s, s, s, s, s).count().observe { heard($0) }
    XCTAssertEqual(heard.all, Array(2...8))
    heard.empty()
    s.withLatest(from: p, p) { $0 + $1 + $2 }.observe { heard($0) }
    s.withLatest(from: p, p, p) { $0 + $1 + $2 + $3 }.observe { heard($0) }
    s.withLatest(from: p, p, p, p) { $0 + $1 + $2 + $3 + $4 }.observe { heard($0) }
    s.withLatest(from: p, p, p, p, p) { $0 + $1 + $2 + $3 + $4 + $5 }.observe { heard($0) }
    s.withLatest(from: p, p, p, p, p, p) { $0 + $1 + $2 + $3 + $4 + $5 + $6 }
      .observe { heard($0) }
    s.withLatest(from: p, p, p, p, p, p, p) { $0 + $1 + $2 + $3 + $4 + $5 + $6 + $7 }
      .observe { heard($0) }
    XCTAssertEqual(heard.all, Array(3...8))
  }

  func testErrorsOfSeveral() throws {
    let failing = try letters("--#")
    let a = try numbers("-1--2|")
    expect(combineLatest(a, failing) { _, b in b }, "--#")
    expect(merge(failing, try letters("-a|")), "-a#")
    expect(a.withLatest(from: Signal.just(1), failing) { a, _, _ in a }, "--#")
    struct Refused: Error {}
    expect(
      zip(a, a) { a, _ in
        if a == 2 { throw Refused() }
        return a
      }, "-1--#")
    // Another's completion changes nothing; before its first value nothing comes.
    expect(a.withLatest(from: Signal.just(1), try numbers("--7|")) { $0 * $1 + $2 }, "----9|")
  }
}
