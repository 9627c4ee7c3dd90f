import Reactive
import ReactiveTesting
import XCTest

/// Operators that make something of a value and those before it.
final class SoFarTests: OperatorCase {
  func testScan() throws {
    expect(try numbers("-1-2-3|").scan(0, +), "-1-3-6|")
    expect(try numbers("-1-2-3|").scanIndexed(0) { $0 + $1 + $2 }, "-1-4-9|")
    expect(try numbers("-1-2-3|").scan(+), "-1-3-6|")
    expect(try numbers("-1-2-4|").combinePrevious(0) { $1 - $0 }, "-1-1-2|")
    expect(try numbers("-1-2-4|").adjacentPairs().map { $1 - $0 }, "---1-2|")
  }

  func testReduce() throws {
    expect(try numbers("-1-2-3|").reduce(0, +), "------(6|)")
    expect(try numbers("-1-2-3|").reduceIndexed(0) { $0 + $1 + $2 }, "------(9|)")
    expect(try numbers("-1-#").reduce(0, +), "---#")
    let joined = try letters("-a-b|").reduce(into: "") { $0 += $1 }
    XCTAssertEqual(marbles.diagram(of: joined, steps: 5), "ab@4 |@4")
    XCTAssertEqual(marbles.diagram(of: joined, steps: 5), "ab@4 |@4")
    let collected = try letters("-a-b|").collect().map { $0.joined(separator: "+") }
    XCTAssertEqual(marbles.diagram(of: collected, steps: 5), "a+b@4 |@4")
    expect(try letters("-a-b|").count(), "----(2|)")
  }

  func testStatistics() throws {
    expect(try numbers("-1-2-3|").sum(), "------(6|)")
    expect(Signal<Int8>([100, 100]).sum(), "#")
    expect(Signal<Int8>([100, 100, -100]).sum().map { $0 == 100 ? "y" : "n" }, "(y|)")
    Signal<Int8>([100, 100]).sum().observe { _ in
    } completion: {
      guard case .failed(let error as EngineError) = $0 else { return XCTFail("did not fail") }
      XCTAssertEqual(error.message, "the sum is beyond Int8")
    }
    expect(Signal<UInt64>([.max, 1]).sum(), "#")
    expect(Signal<UInt64>([.max - 1, 1]).sum().map { $0 == .max ? "y" : "n" }, "(y|)")
    expect(Signal<Double>([]).sum().map { Int($0) }, "(0|)")
    expect(Signal<Float>([0.5, 1.5]).sum().map { Int($0) }, "(2|)")
    expect(try numbers("-1-2-6|").average().map { Int($0) }, "------(3|)")
    expect(try numbers("-2-1-3|").min(), "------(1|)")
    expect(try numbers("-2-1-3|").max(), "------(3|)")
    expect(try letters("-b-a-c|").max(), "------(c|)")
    expect(try numbers("-5-32-4|").min { $0 % 3 < $1 % 3 }, "-------(3|)")
    expect(try numbers("-3-52-4|").max { $0 % 3 < $1 % 3 }, "-------(5|)")
    expect(try numbers("--|").min { $0 < $1 }, "--|")
    expect(try numbers("-1-2-3|").max { _, _ in throw MarbleError() }, "---#")
    XCTAssertEqual(
      marbles.diagram(of: Signal<UInt>([1, .max]).min().map { $0 == 1 }, steps: 1), "true@0 |@0")
  }

  func testRolling() throws {
    func whole(_ signal: Signal<Double>) -> Signal<String> {
      signal.map { $0.isNaN ? "n" : "\(Int($0))" }
    }
    expect(whole(try numbers("137|").rollingMean(over: 2)), "125|")
    expect(whole(try numbers("135|").rollingVariance(over: 2)), "n22|")
    expect(whole(try numbers("3124|").rollingMin(over: 2)), "3112|")
    expect(whole(try numbers("3124|").rollingMax(over: 2)), "3324|")
    expect(try numbers("3|").rollingMax(over: -1), "#")
    let (clock, two) = (marbles.scheduler, Duration.seconds(2))
    expect(whole(try numbers("13-7|").rollingMean(for: two, on: clock)), "12-7|")
    expect(whole(try numbers("13-5|").rollingVariance(for: two, on: clock)), "n2-n|")
    expect(whole(try numbers("31-4|").rollingMin(for: two, on: clock)), "31-4|")
    expect(whole(try numbers("31-2|").rollingMax(for: two, on: clock)), "33-2|")
    expect(try numbers("3|").rollingMax(for: .zero), "#")
  }

  func testChunks() throws {
    func joined(_ signal: Signal<[String]>, _ steps: Int) -> String {
      marbles.diagram(of: signal.map { $0.joined() }, steps: steps)
    }
    let source = try letters("-a-b-c|")
    XCTAssertEqual(joined(source.chunks(ofCount: 2), 7), "ab@3 c@6 |@6")
    XCTAssertEqual(joined(source.chunks(ofCount: 2, stride: 1), 7), "ab@3 bc@5 c@6 |@6")
    XCTAssertEqual(joined(source.chunks(ofCount: 0), 7), "#")
    let clock = marbles.scheduler
    XCTAssertEqual(joined(source.chunks(for: .seconds(3), on: clock), 7), "ab@4 c@6 |@6")
    XCTAssertEqual(joined(source.chunks(for: .seconds(4), atMost: 2, on: clock), 7), "ab@3 c@6 |@6")
  }

  func testContains() throws {
    let truth = ["t": true, "f": false] as [Character: Bool]
    try marbles.expect(try numbers("-1-2-3|").contains { $0 > 1 }, "---(t|)", truth)
    try marbles.expect(try numbers("-1-2-3|").contains { $0 > 9 }, "------(f|)", truth)
    try marbles.expect(try numbers("-1-2-3|").allSatisfy { $0 < 9 }, "------(t|)", truth)
    try marbles.expect(try numbers("-1-2-3|").allSatisfy { $0 < 2 }, "---(f|)", truth)
  }

  func testStep() throws {
    let twice = try numbers("-1-2-3|").step(from: 0) { count, event, output in
      guard case .value(let number) = event else { return }
      count += 1
      if number % 2 == 0 { return }
      output.send("\(count)")
      if count == 3 { output.complete() }
      output.send("x")
    }
    expect(twice, "-(1x)(3x|)")
    expect(twice, "-(1x)(3x|)")
  }
}
