import Reactive
import ReactiveTesting
import XCTest

/// Operators that make signals of values, or are given them.
final class SignalsOfSignalsTests: OperatorCase {
  private func twice(_ diagram: String) throws -> @Sendable (String) -> Signal<String> {
    let shape = try letters(diagram)
    return { value in shape.mapTo(value) }
  }

  func testFlatMap() throws {
    let source = try letters("-a---b|")
    let inner = try twice("x---y|")
    expect(source.flatMap(inner), "-a---(ab)b|")
    expect(source.flatMap(maxConcurrent: 1, inner), "-a---ab---b|")
    expect(source.concatMap(inner), "-a---ab---b|")
    expect(source.flatMapLatest(inner), "-a---b---b|")
    expect(source.flatMapFirst(inner), "-a---a|")
    let bound = Bound(1, .dropNewest)
    expect(try letters("abc|").flatMap(maxConcurrent: 1, bound: bound, inner), "a---ab---b|")
    expect(try letters("abc|").concatMap(bound: Bound(1, .dropOldest), inner), "a---ac---c|")
    expect(
      try letters("a|").flatMap { value -> Signal<String> in throw MarbleError() }, "#")
  }

  func testFlatten() throws {
    let inner = try twice("x---y|")
    let signals = try letters("-a---b|").map(inner)
    expect(signals.flatten(), "-a---(ab)b|")
    expect(signals.flatten(maxConcurrent: 1), "-a---ab---b|")
    expect(
      try letters("abc|").map(inner).flatten(maxConcurrent: 1, bound: Bound(1, .dropNewest)),
      "a---ab---b|")
    expect(signals.switchToLatest(), "-a---b---b|")
  }

  func testBindAndExpand() throws {
    let inner = try twice("x---y|")
    let bound = try letters("a---b-c|").bind { value, stop in
      stop = value == "b"
      return inner(value)
    }
    expect(bound, "a---(ab)b|")
    let clock = marbles.scheduler
    let grown = try numbers("1|").expand { number in
      number < 3 ? Signal.just(number + 1).delay(for: .seconds(2), on: clock) : .empty
    }
    expect(grown, "1-2-(3|)")
  }

  func testGrouped() throws {
    let groups = try numbers("123456|").grouped(by: { $0 % 2 == 0 ? "even" : "odd" })
    expect(
      groups.flatMap { group in
        group.map { "\(group.key == "even" ? "e" : "o")\($0)" }.map { $0.prefix(1) }
      },
      "oeoeoe|")
    let sums = try numbers("1234|").grouped(by: { $0 % 2 }, transform: { $0 * 1 })
      .flatMap { $0.reduce(0, +) }
    expect(sums, "----(46|)")
    let optionals = try marbles.cold("aba|", ["a": Int?.none, "b": 1]).grouped(by: { $0 })
    expect(optionals.map { $0.key ?? 0 }, "01-|")
  }

  func testWindows() throws {
    let source = try letters("-a-b-c|")
    func texts(_ windows: Signal<Signal<String>>) -> Signal<String> {
      windows.flatMap { $0.count().map { "\($0)" } }
    }
    expect(texts(source.windows(separatedBy: try letters("--x"))), "--1---(2|)")
    expect(texts(source.windows(for: .seconds(2), on: marbles.scheduler)), "--1-1-(1|)")
    expect(texts(source.windows(ofCount: 2)), "---2--(1|)")
    let closing = try letters("--x")
    expect(
      texts(source.windows(openedBy: try letters("x---x-"), closedBy: { _ in closing })),
      "--1---(1|)")
  }
}
