import CRAC
import Reactive
import XCTest

final class CommandTests: FaceTestCase {
  struct Failure: Error, Equatable { var number = 0 }

  func testExecution() {
    let heard = Heard<String>()
    let work = Subject<Int>()
    let command = Command<Int, Int>(on: .immediate) { factor in work.map { $0 * factor } }
    command.executing.map { $0 ? "begins" : "ends" }.observe { heard($0) }
    command.values.map { "value \($0)" }.observe { heard($0) }
    command.execute(10).record(in: heard)
    XCTAssertTrue(command.isExecuting)
    XCTAssertFalse(command.isEnabled)
    work.send(1)
    work.complete()
    XCTAssertFalse(command.isExecuting)
    XCTAssertEqual(Set(heard.all), ["ends", "begins", "value 10", "10", "|"])
  }

  /// The signal's type is the command's: its members need no more than a dot.
  func testASignalBeginsWithADot() {
    let heard = Heard<String>()
    let halved = Command<Int, Int>(on: .immediate) { number in
      number % 2 == 0 ? .just(number / 2) : .empty
    }
    halved.execute(4).record(in: heard)
    halved.execute(3).record(in: heard)
    XCTAssertEqual(heard.all, ["2", "|", "|"])
  }

  func testRefusals() {
    let heard = Heard<Bool>()
    let isAllowed = Property(false)
    let command = Command<Int, Int>(enabledIf: isAllowed, on: .immediate) { Signal.just($0) }
    command.execute(1).observe { _ in
    } completion: {
      if case .failed(let error as EngineError) = $0 { heard(error.isNotEnabled) }
    }
    XCTAssertEqual(heard.all, [true])
    isAllowed.value = true
    XCTAssertTrue(command.isEnabled)
    command.execute(1).observe { _ in heard(false) }
    XCTAssertEqual(heard.all, [true, false])
  }

  /// Whoever has waited for an execution finds the command ready for the next one, whichever thread
  /// it ended on.
  func testOneAfterAnother() async throws {
    let command = Command<Int, Int>(on: .background()) { Signal.just($0) }
    for number in 0..<3000 {
      let answer = try await command(number)
      XCTAssertEqual(answer, number)
    }
  }

  func testErrors() {
    let heard = Heard<Int>()
    let command = Command<Int, Int>(on: .immediate) { number in
      if number == 0 { throw Failure(number: 0) }
      return Signal<Int>.fail(Failure(number: number))
    }
    command.errors.observe { heard(($0 as? Failure)?.number ?? -1) }
    command.execute(0)
    command.execute(1)
    XCTAssertEqual(heard.all, [0, 1])
  }

  func testAsynchronousWork() async throws {
    let command = Command<Int, Int>(on: .background()) { number in
      await Task.yield()
      if number < 0 { throw Failure(number: number) }
      return number * 2
    }
    let result = try await command(21)
    XCTAssertEqual(result, 42)
    while command.isExecuting { await Task.yield() }
    do {
      _ = try await command(-1)
      XCTFail("did not throw")
    } catch { XCTAssertEqual(error as? Failure, Failure(number: -1)) }
  }

  func testExecutionsAsSignals() {
    let heard = Heard<String>()
    let command = Command<Int, Int>(on: .immediate) { Signal.just($0) }
    command.executions.flatMap { $0 }.record(in: heard)
    command.execute(1)
    command.execute(2)
    XCTAssertEqual(heard.all, ["1", "2"])
    command.allowsConcurrentExecution = true
    XCTAssertTrue(command.allowsConcurrentExecution)
  }
}
