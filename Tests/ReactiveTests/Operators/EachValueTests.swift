import Reactive
import ReactiveTesting
import XCTest

/// Operators that look at one value at a time.
final class EachValueTests: OperatorCase {
  private struct TooMuch: Error {}
  /// Trivial, with holes between its members, and equal by one of them.
  private struct Loose: Sendable, Hashable {
    var a: UInt8
    var b: Int32
    static func == (x: Loose, y: Loose) -> Bool { x.a == y.a }
    func hash(into hasher: inout Hasher) { hasher.combine(a) }
  }

  func testMap() throws {
    expect(try numbers("--1--2--|").map { $0 * 4 }, "--4--8--|")
    expect(try numbers("--1--2--|").mapTo("x"), "--x--x--|")
    expect(try letters("--1--x--3|").compactMap { Int($0) }, "--1-----3|")
    let failing = try numbers("--1--2--3|").map { number in
      if number == 2 { throw TooMuch() }
      return number
    }
    expect(failing, "--1--#")
  }

  func testFilter() throws {
    expect(try numbers("--1--2--3--4|").filter { $0 % 2 == 0 }, "-----2-----4|")
    expect(try numbers("--1--2--1--3|").ignoring(1), "-----2-----3|")
    expect(try numbers("--1--2--|").ignoringValues(), "--------|")
    expect(
      try numbers("--1--2--3|").validate { if $0 == 3 { throw TooMuch() } }, "--1--2--#")
  }

  func testRemoveDuplicates() throws {
    expect(try numbers("--1--1--2--1|").removeDuplicates(), "--1-----2--1|")
    expect(try numbers("--1--3--2--1|").removeDuplicateKeys { $0 % 2 }, "--1-----2--1|")
    expect(try numbers("--1--2--4--1|").removeDuplicates { abs($0 - $1) < 2 }, "--1-----4--1|")
    let loose = try marbles.cold(
      "abc|",
      ["a": Loose(a: 1, b: 1), "b": Loose(a: 1, b: 2), "c": Loose(a: 2, b: 2)])
    expect(loose.removeDuplicates().map(\.a), "1-2|")
    let optional = try marbles.cold("aabba|", ["a": Int?.none, "b": 1])
    expect(optional.removeDuplicates().map { $0 ?? 0 }, "0-1-0|")
    expect(try letters("aabba|").removeDuplicates(), "a-b-a|")
  }

  func testUniqued() throws {
    expect(try numbers("1213221|").uniqued(), "12-3---|")
    expect(try letters("aba|").uniqued(), "ab-|")
    expect(try numbers("1324|").uniqued(on: { $0 % 2 }), "1-2-|")
    let loose = try marbles.cold(
      "abc|", ["a": Loose(a: 1, b: 1), "b": Loose(a: 2, b: 2), "c": Loose(a: 1, b: 2)])
    expect(loose.uniqued().map(\.a), "12-|")
    let optional = try marbles.cold("aba|", ["a": Int?.none, "b": 1])
    expect(optional.uniqued().map { $0 ?? 0 }, "01-|")
  }

  func testBooleans() throws {
    let truth = ["t": true, "f": false] as [Character: Bool]
    let source = try marbles.cold("t---f|", truth)
    let other = try marbles.cold("-f-t-|", truth)
    try marbles.expect(source.not(), "f---t|", truth)
    try marbles.expect(source.and(other), "-f-tf|", truth)
    try marbles.expect(source.or(other), "-t-tt|", truth)
    let low = try marbles.cold("-a--c--|")
    let high = try marbles.cold("x-y--z-|")
    expect(source.choose(then: low, otherwise: high), "-a--x-y--z-|")
    expect(try letters("a--b|").choose(["a": low, "b": high]), "-a-x-y--z-|")
    expect(try letters("a--q|").choose(["a": low], otherwise: high), "-a-x-y--z-|")
    expect(try letters("a--q|").choose(["a": low]), "-a-#")
  }

  func testMaterialize() throws {
    expect(try letters("-a-b|").materialize().dematerialize(), "-a-b|")
    expect(try letters("-a-#").materialize().dematerialize(), "-a-#")
    let events = try letters("-a-#").materialize().map { event in
      switch event {
      case .value(let value): value
      case .failed(let error): error is MarbleError ? "E" : "?"
      case .finished: "F"
      }
    }
    expect(events, "-a-(E|)")
  }
}
