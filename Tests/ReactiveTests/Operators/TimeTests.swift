import Reactive
import ReactiveTesting
import XCTest

/// Operators that keep time, on a clock that the tests let run.
final class TimeTests: OperatorCase {
  private var clock: Scheduler { marbles.scheduler }

  func testDelay() throws {
    let source = try letters("-a-b|")
    expect(source.delay(for: .seconds(2), on: clock), "---a-b|")
    expect(source.delaySubscription(for: .seconds(2), on: clock), "---a-b|")
    expect(source.delaySubscription(until: try letters("--x")), "---a-b|")
    let (long, short) = (try letters("---x"), try letters("|"))
    expect(source.delay { $0 == "a" ? long : short }, "---b(a|)")
  }

  func testDebounce() throws {
    expect(try letters("-a-b---c|").debounce(for: .seconds(2), on: clock), "-----b--(c|)")
    let some = try letters("-a-x-b--|").debounce(for: .seconds(2), on: clock) { $0 != "x" }
    expect(some, "---x---b|")
  }

  func testThrottle() throws {
    let source = try letters("-abc---d|")
    expect(source.throttle(for: .seconds(3), on: clock), "-a--c--d|")
    expect(source.throttle(for: .seconds(3), latest: false, on: clock), "-a-----d|")
    expect(source.audit(for: .seconds(3), on: clock), "----c---(d|)")
    let (long, short) = (try letters("---x"), try letters("|"))
    expect(try letters("-abc--da|").audit { $0 == "a" ? long : short }, "----c-d-(a|)")
  }

  func testRateLimit() throws {
    let source = try letters("-abcd---e|")
    expect(source.rateLimit(every: .seconds(2), burst: 2, on: clock), "-abc-d--e|")
    expect(
      source.rateLimit(every: .seconds(2), burst: 2, buffering: 0, on: clock), "-abc----e|")
  }

  func testTimestamps() throws {
    let source = try letters("-a--b|")
    let begin = clock.now
    expect(
      source.timestamped(on: clock).map { "\($0.time == begin + .seconds(1))".prefix(1) }, "-t--f|")
    expect(source.measureInterval(on: clock).map { $0.interval.components.seconds }, "-1--3|")
  }

  func testTimeout() throws {
    expect(try letters("-a-b-c|").timeout(after: .seconds(4), on: clock), "-a-b#")
    expect(try letters("-a-b---c|").timeout(afterIdle: .seconds(3), on: clock), "-a-b--#")
    let other = try letters("-x|")
    expect(
      try letters("-a---c|").timeout(afterIdle: .seconds(2), switchingTo: other, on: clock),
      "-a--x|")
  }

  func testSources() throws {
    expect(Signal.interval(.seconds(2), on: clock).prefix(3), "--0-1-(2|)")
    expect(Signal.deferred { Signal.just(1) }, "(1|)")
    expect(Signal { () throws -> Int in throw MarbleError() }, "#")
    expect(Signal(catching: { () throws -> Int in 7 }), "(7|)")
    expect(Signal([1, 2, 3]).prefix(2), "(12|)")
    let heard = Heard<String>()
    let inner = try letters("-a|")
    let using = Signal<String>.using {
      heard("acquired")
      return "resource"
    } release: {
      heard("released \($0)")
    } _: { _ in
      inner
    }
    expect(using, "-a|")
    XCTAssertEqual(heard.all, ["acquired", "released resource"])
  }

  func testDeliver() throws {
    let source = try letters("-abc|")
    expect(source.deliver(on: clock), "-abc|")
    expect(source.deliver(on: clock, bound: Bound(1, .dropOldest)), "-abc|")
    expect(source.subscribe(on: clock), "-abc|")
  }
}
