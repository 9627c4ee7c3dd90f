import CRAC
import Reactive
import XCTest

/// Signals and Swift's concurrency.
final class AsyncTests: FaceTestCase {
  struct Failure: Error {}

  func testValues() async throws {
    let subject = Subject<Int>(replaying: 100)
    for number in 0..<10 { subject.send(number) }
    subject.complete()
    var heard: [Int] = []
    for try await number in subject.values { heard.append(number) }
    XCTAssertEqual(heard, Array(0..<10))
  }

  func testBounds() async throws {
    let subject = Subject<Int>(replaying: 100)
    for number in 0..<10 { subject.send(number) }
    subject.complete()
    func all(_ policy: BufferingPolicy) async throws -> [Int] {
      var heard: [Int] = []
      for try await number in subject.values(buffering: policy) { heard.append(number) }
      return heard
    }
    let oldest = try await all(.oldest(3))
    let newest = try await all(.newest(3))
    let latest = try await all(.latest)
    let none = try await all(.oldest(-1))
    XCTAssertEqual([oldest, newest, latest, none], [[0, 1, 2], [7, 8, 9], [9], []])
    var heard: [Int] = []
    do {
      for try await number in subject.values(buffering: .failing(3)) { heard.append(number) }
      XCTFail("did not throw")
    } catch { XCTAssertEqual((error as? EngineError)?.isOverflow, true) }
    XCTAssertEqual(heard, [0, 1, 2])
  }

  /// The numbers from 0 on, and how many have been asked for.
  private struct Numbers: Sequence, Sendable {
    let count: Int
    let pulled = Heard<Int>()

    func makeIterator() -> AnyIterator<Int> {
      var next = 0
      return AnyIterator {
        if next == count { return nil }
        pulled(next)
        next += 1
        return next - 1
      }
    }
  }

  func testASequenceIsPulledAsThereIsRoom() async throws {
    let numbers = Numbers(count: 100)
    let heard = Heard<String>()
    let slow = Scheduler.virtual()
    let subscription = Signal(numbers, on: .background())
      .deliver(on: slow, bound: Bound(8, .wait)).record(in: heard)
    while numbers.pulled.count < 8 { await Task.yield() }
    try await Task.sleep(for: .milliseconds(20))
    XCTAssertEqual(numbers.pulled.count, 8)
    while heard.count < 101 {
      slow.advance(by: .zero)
      await Task.yield()
    }
    XCTAssertEqual(heard.all, (0..<100).map { "\($0)" } + ["|"])
    subscription.dispose()
  }

  func testALoopThatIsBehindHoldsItsSource() async throws {
    let numbers = Numbers(count: 1000)
    var heard: [Int] = []
    for try await number in Signal(numbers, on: .background()).values(buffering: .waiting(8)) {
      if number < 3 { try await Task.sleep(for: .milliseconds(20)) }
      heard.append(number)
      XCTAssertLessThanOrEqual(numbers.pulled.count, number + 10)
    }
    XCTAssertEqual(heard, Array(0..<1000))
  }

  func testWhatCannotWaitIsTakenByALoopThatHolds() async throws {
    let subject = Subject<Int>()
    var iterator = subject.values(buffering: .waiting(2)).makeAsyncIterator()
    for number in 0..<10 { subject.send(number) }
    subject.send(error: Failure())
    for number in 0..<10 {
      let next = try await iterator.next()
      XCTAssertEqual(next, number)
    }
    do {
      _ = try await iterator.next()
      XCTFail("did not throw")
    } catch { XCTAssertTrue(error is Failure) }
  }

  func testALoopThatHoldsIsCancelled() async throws {
    let subject = Subject<Int>()
    let task = Task {
      var count = 0
      for try await _ in subject.values(buffering: .waiting(2)) { count += 1 }
      return count
    }
    while subject.observerCount == 0 { await Task.yield() }
    subject.send(1)
    try await Task.sleep(for: .milliseconds(10))
    task.cancel()
    let count = try await task.value
    XCTAssertEqual(count, 1)
    while subject.observerCount > 0 { await Task.yield() }
  }

  func testAnErrorIsThrown() async {
    do {
      for try await _ in Signal<Int>.fail(Failure()).values { XCTFail("no values") }
      XCTFail("did not throw")
    } catch { XCTAssertTrue(error is Failure) }
  }

  func testLeavingTheLoopDisposes() async throws {
    let subject = Subject<Int>(current: 1)
    for try await _ in subject.values { break }
    XCTAssertEqual(subject.observerCount, 0)
  }

  /// A reader whose tasks all read by copies of one iterator.
  @MainActor private final class Reader {
    private let iterator: SignalValues<Int>.Iterator
    init(_ subject: Subject<Int>) { iterator = subject.values.makeAsyncIterator() }

    func read() async throws -> Int? {
      var iterator = iterator
      reading += 1
      return try await iterator.next(isolation: #isolation)
    }

    var reading = 0
  }

  func testSeveralReadersOfALoop() async throws {
    let subject = Subject<Int>()
    let reader = await Reader(subject)
    let tasks = (0..<4).map { _ in Task { try await reader.read() } }
    while await reader.reading < 4 { await Task.yield() }
    subject.send(1)
    subject.send(2)
    subject.complete()
    var heard: [Int?] = []
    for task in tasks { heard.append(try await task.value) }
    XCTAssertEqual(heard.compactMap(\.self).sorted(), [1, 2])
  }

  func testCancellation() async throws {
    let subject = Subject<Int>()
    let task = Task {
      var count = 0
      for try await _ in subject.values { count += 1 }
      return count
    }
    while subject.observerCount == 0 { await Task.yield() }
    subject.send(1)
    task.cancel()
    let count = try await task.value
    XCTAssertLessThanOrEqual(count, 1)
    XCTAssertEqual(subject.observerCount, 0)
  }

  /// A task that is cancelled before it subscribes does not.
  func testCancelledBefore() async throws {
    let started = Heard<Int>()
    let signal = Signal<Int> { _ in started(1) }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      for try await _ in signal.values { XCTFail("no values") }
      do {
        _ = try await signal.first()
        return "value"
      } catch { return "\(error is CancellationError)" }
    }
    task.cancel()
    let result = try await task.value
    XCTAssertEqual(result, "true")
    XCTAssertEqual(started.all, [])
  }

  func testFirstAndLast() async throws {
    let subject = Subject<Int>(replaying: 10)
    for number in 1...3 { subject.send(number) }
    subject.complete()
    let (first, last) = (try await subject.first(), try await subject.last())
    XCTAssertEqual([first, last], [1, 3])
    let endless = try await Signal(1...).first()
    XCTAssertEqual(endless, 1)
    do {
      _ = try await Signal<Int>.empty.first()
      XCTFail("did not throw")
    } catch { XCTAssertEqual((error as? EngineError)?.isEmpty, true) }
  }

  func testAFunctionAsASignal() async throws {
    let value = try await Signal {
      await Task.yield()
      return 7
    }.first()
    XCTAssertEqual(value, 7)
    do {
      _ = try await Signal<Int> {
        await Task.yield()
        throw Failure()
      }.first()
      XCTFail("did not throw")
    } catch { XCTAssertTrue(error is Failure) }
  }

  /// Disposing cancels the task of a function that never returns.
  func testDisposingCancels() async throws {
    let cancelled = expectation(description: "cancelled")
    let disposed = Heard<Int>()
    let subscription = Signal<Int> {
      while !Task.isCancelled || disposed.count == 0 {
        try? await Task.sleep(for: .milliseconds(1))
      }
      cancelled.fulfill()
      return 0
    }.observe { _ in XCTFail("a value after disposal") }
    subscription.dispose()
    disposed(1)
    await fulfillment(of: [cancelled], timeout: 60)
  }

  func testASequenceAsASignal() async throws {
    let numbers = AsyncStream<Int> { continuation in
      for number in 1...3 { continuation.yield(number) }
      continuation.finish()
    }
    let last = try await Signal(from: numbers).scan(0, +).last()
    XCTAssertEqual(last, 6)
    let failing = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Failure()) }
    do {
      _ = try await Signal(from: failing).first()
      XCTFail("did not throw")
    } catch { XCTAssertTrue(error is Failure) }
  }

  /// One that never ends is left when observing is disposed.
  func testASequenceThatNeverEnds() async throws {
    let ended = expectation(description: "ended")
    let endless = AsyncStream<Int> { continuation in
      continuation.onTermination = { _ in ended.fulfill() }
    }
    Signal(from: endless).observe { _ in }.dispose()
    await fulfillment(of: [ended], timeout: 60)
  }

  /// Many senders, one loop: nothing is lost or doubled, and each sender's values come in their
  /// order.
  func testManySenders() async throws {
    let subject = Subject<Int>()
    let values = Task {
      var sum = 0
      for try await number in subject.values { sum += number }
      return sum
    }
    while subject.observerCount == 0 { await Task.yield() }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { for number in 1...1000 { subject.send(number) } } }
    }
    subject.complete()
    let sum = try await values.value
    XCTAssertEqual(sum, 4 * 500_500)
  }
}
