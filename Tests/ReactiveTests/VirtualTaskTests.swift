import Reactive
import ReactiveTesting
import XCTest

/// Asynchronous functions of signals in virtual time.
final class VirtualTaskTests: FaceTestCase {
  private let marbles = Marbles()

  func testOperators() throws {
    let clock = marbles.scheduler.clock
    let upper: @Sendable (String) async throws -> String = { text in
      if text == "x" { throw MarbleError() }
      try await Task.sleep(for: .seconds(2), clock: clock)
      return text.uppercased()
    }
    let source = try marbles.cold("-a-b----c|")
    let fast = try marbles.cold("abc------|")
    let failing = try marbles.cold("-a-x--|")
    try marbles.expect(source.asyncMap(upper), "---A-B----(C|)")
    try marbles.expect(
      fast.asyncMap(maxConcurrent: 2, upper), "--ABC----|")
    try marbles.expect(fast.mapLatest(upper), "----C----|")
    try marbles.expect(
      fast.flatMap(maxConcurrent: 2) { text in
        Signal {
          try await Task.sleep(for: .seconds(text == "a" ? 4 : 1), clock: clock)
          return text.uppercased()
        }
      }, "--BCA----|")
    try marbles.expect(failing.asyncMap(upper), "---(A#)")
    try marbles.expect(Signal { try await upper("a") }, "--(A|)")
    try marbles.expect(
      Signal { try await upper("a") }.timeout(after: .seconds(1), on: marbles.scheduler), "-#")
  }

  func testASequence() throws {
    let clock = marbles.scheduler.clock
    let numbers = AsyncStream<Int> {
      try? await Task.sleep(for: .seconds(1), clock: clock)
      return Task.isCancelled ? nil : 7
    }
    try marbles.expect(Signal(from: numbers).prefix(3), "-77(7|)")
  }

  func testEachValueIsObserved() {
    let scheduler = Scheduler.virtual()
    let heard = Heard<String>()
    let subject = Subject<Int>()
    subject.observeAsync { number in
      try await Task.sleep(for: .seconds(number), clock: scheduler.clock)
      heard("\(number) at \(scheduler.now)")
    } completion: { _ in
      heard("|")
    }
    scheduler.schedule {
      for number in [2, 1] { subject.send(number) }
      subject.complete()
    }
    scheduler.advance(by: .seconds(2.5))
    XCTAssertEqual(heard.all, ["2 at 2.0 seconds"])
    scheduler.advance(by: .seconds(1))
    XCTAssertEqual(heard.all, ["2 at 2.0 seconds", "1 at 3.0 seconds", "|"])
  }

  /// A task that waits for more than virtual time goes on without it.
  func testTheOutside() async throws {
    let scheduler = Scheduler.virtual()
    let answers = Subject<String>(replaying: 2)
    let gate = Subject<Int>(replaying: 1)
    scheduler.schedule {
      Signal<String> { () async throws -> String in
        try await Task.sleep(for: .milliseconds(1))
        return "real \(try await gate.first())"
      }.observe { answers.send($0) }
      Signal<String> { () async throws -> String in
        while scheduler.now < .seconds(2) { await Task.yield() }
        return "yielded"
      }.observe { answers.send($0) }
    }
    scheduler.advance(by: .seconds(1))
    gate.send(1)
    scheduler.advance(by: .seconds(1))
    let both = try await answers.prefix(2).collect().first()
    XCTAssertEqual(Set(both), ["real 1", "yielded"])
  }
}
