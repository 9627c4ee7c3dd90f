import Reactive
import ReactiveTesting
import XCTest

/// Operators about errors, repetition and what happens beside the values.
final class EndingTests: OperatorCase {
  private struct Other: Error {}

  func testCatch() throws {
    let rest = try letters("-x|")
    expect(try letters("-a#").catch { _ in rest }, "-a-x|")
    expect(try letters("-a#").replaceError(withSignal: rest), "-a-x|")
    expect(try letters("-a#").replaceError(with: "x"), "-a(x|)")
    let mapped = try letters("-a#").mapError { _ in Other() }.catch { error in
      Signal.just(error is Other ? "o" : "?")
    }
    expect(mapped, "-a(o|)")
  }

  func testRetry() throws {
    expect(try letters("-a#").retry(1), "-a-a#")
    expect(try letters("-a#").retry().prefix(3), "-a-a-(a|)")
    expect(try letters("-a#").retry(0), "-a#")
    let backoff = Backoff(.seconds(2), attempts: 1)
    expect(try letters("-#").retry(pausing: backoff, on: marbles.scheduler), "----#")
    let none = Backoff(.seconds(2), attempts: 0)
    expect(try letters("-#").retry(pausing: none, on: marbles.scheduler), "-#")
    let pause = try letters("-x")
    let again = try letters("-a#").retry { _, index in index < 1 ? pause : .fail(Other()) }
    expect(again, "-a--a#")
  }

  func testRepeated() throws {
    expect(try letters("-a|").repeated().prefix(3), "-a-a-(a|)")
    let pause = try letters("-x")
    expect(try letters("-a|").repeated { $0 < 1 ? pause : .empty }, "-a--a|")
  }

  func testHandle() throws {
    let heard = Heard<String>()
    let source = try letters("-a|")
      .handleStart { heard("start") }
      .handleNext { heard($0) }
      .handleCompletion { heard("completion") }
      .handleEnd { heard("end") }
      .finally { heard("finally") }
    expect(source, "-a|")
    XCTAssertEqual(heard.all, ["start", "a", "completion", "end", "finally"])
    let failed = Heard<String>()
    expect(try letters("#").handleError { failed("\($0 is MarbleError)") }, "#")
    XCTAssertEqual(failed.all, ["true"])
    let disposed = Heard<String>()
    try letters("-a").handleEnd { disposed("end") }.finally { disposed("finally") }.observe { _ in }
      .dispose()
    XCTAssertEqual(disposed.all, ["finally"])
  }

  func testLog() throws {
    expect(try letters("-a|").named("letters").log("nothing", []), "-a|")
  }

  func testRecover() throws {
    struct Other: Error {}
    let source = try numbers("-1-#")
    expect(source.recover(from: MarbleError.self) { _ in .just(7) }, "-1-(7|)")
    expect(source.recover(from: Other.self) { _ in .just(7) }, "-1-#")
    let heard = Heard<String>()
    let renamed = Signal<Int>.fail(Other())
    renamed.recover(from: Other.self) { _ in throw MarbleError() }.record(in: heard)
    XCTAssertEqual(heard.all, ["# MarbleError()"])
  }
}
