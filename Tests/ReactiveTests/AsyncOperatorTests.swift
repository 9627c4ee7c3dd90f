import CRAC
import Reactive
import XCTest

/// Operators whose closures are asynchronous.
final class AsyncOperatorTests: FaceTestCase {
  private struct Failure: Error {}

  /// Functions that run until they are told to end, in any order.
  private actor Desk {
    private var running: [Int: CheckedContinuation<Void, any Error>] = [:]
    private(set) var begun: [Int] = []
    private(set) var cancelled: [Int] = []
    private(set) var most = 0

    func work(_ number: Int) async throws -> Int {
      begun.append(number)
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          running[number] = continuation
          most = max(most, running.count)
          if Task.isCancelled { end(number, CancellationError()) }
        }
      } onCancel: {
        Task { await self.cancel(number) }
      }
      return number * 10
    }

    func end(_ number: Int, _ error: (any Error)? = nil) {
      guard let one = running.removeValue(forKey: number) else { return }
      if let error { one.resume(throwing: error) } else { one.resume() }
    }

    private func cancel(_ number: Int) {
      cancelled.append(number)
      end(number, CancellationError())
    }

    /// Until so many have begun.
    func wait(for count: Int) async { while begun.count < count { await Task.yield() } }
    func waitForCancelled(_ count: Int) async {
      while cancelled.count < count { await Task.yield() }
    }
  }

  private func wait<Value>(for count: Int, in heard: Heard<Value>) async {
    while heard.count < count { await Task.yield() }
  }

  func testAsyncMapIsInOrder() async throws {
    var heard: [Int] = []
    let running = Heard<Int>()
    let results = Signal(0..<50).asyncMap { number in
      running(1)
      if number % 3 == 0 { await Task.yield() }
      XCTAssertEqual(running.count, number + 1)
      return number * 2
    }
    for try await number in results.values { heard.append(number) }
    XCTAssertEqual(heard, (0..<50).map { $0 * 2 })
  }

  func testSeveralAtATimeStayInOrder() async throws {
    let desk = Desk()
    let heard = Heard<String>()
    let subject = Subject<Int>()
    let observation = subject.asyncMap(maxConcurrent: 3) { try await desk.work($0) }
      .record(in: heard)
    for number in 1...6 { subject.send(number) }
    subject.complete()
    await desk.wait(for: 3)
    await desk.end(3)
    await desk.wait(for: 4)
    await desk.end(2)
    await desk.wait(for: 5)
    XCTAssertEqual(heard.all, [])
    await desk.end(1)
    await wait(for: 3, in: heard)
    XCTAssertEqual(heard.all, ["10", "20", "30"])
    await desk.wait(for: 6)
    for number in [6, 5, 4] { await desk.end(number) }
    await wait(for: 7, in: heard)
    XCTAssertEqual(heard.all.dropFirst(3), ["40", "50", "60", "|"])
    let most = await desk.most
    XCTAssertEqual(most, 3)
    observation.dispose()
  }

  func testAnErrorComesInItsTurn() async throws {
    let desk = Desk()
    let heard = Heard<String>()
    let subject = Subject<Int>()
    subject.asyncMap(maxConcurrent: 3) { try await desk.work($0) }.record(in: heard)
    for number in 1...4 { subject.send(number) }
    await desk.wait(for: 3)
    await desk.end(2, Failure())
    await desk.end(1)
    await wait(for: 2, in: heard)
    XCTAssertEqual(heard.all, ["10", "# Failure()"])
    // Those behind it are cancelled.
    await desk.waitForCancelled(1)
    XCTAssertEqual(subject.observerCount, 0)
  }

  func testDisposingCancelsAllTasks() async throws {
    let desk = Desk()
    let subject = Subject<Int>()
    let several = subject.asyncMap(maxConcurrent: 2) { try await desk.work($0) }
      .observe { _ in XCTFail("a value after disposal") }
    let one = subject.asyncMap { try await desk.work($0 + 100) }
      .observe { _ in XCTFail("a value after disposal") }
    for number in 1...5 { subject.send(number) }
    await desk.wait(for: 3)
    several.dispose()
    one.dispose()
    await desk.waitForCancelled(3)
    // One that begins in the very moment of its disposal is cancelled as well.
    let begun = await desk.begun
    XCTAssertTrue(Set(begun).isSuperset(of: [1, 2, 101]), "\(begun)")
    await desk.waitForCancelled(begun.count)
  }

  func testASourceIsHeldByFunctions() async throws {
    let desk = Desk()
    let pulled = Heard<Int>()
    struct Numbers: Sequence, Sendable {
      let pulled: Heard<Int>
      func makeIterator() -> AnyIterator<Int> {
        var next = 0
        return AnyIterator {
          next += 1
          self.pulled(next)
          return next
        }
      }
    }
    let observation = Signal(Numbers(pulled: pulled), on: .background())
      .asyncMap(maxConcurrent: 2) { try await desk.work($0) }.observe { _ in }
    await desk.wait(for: 2)
    try await Task.sleep(for: .milliseconds(5))
    XCTAssertLessThan(pulled.count, 8)
    observation.dispose()
    await desk.waitForCancelled(2)
  }

  func testObserveAsync() async throws {
    let heard = Heard<String>()
    let subject = Subject<Int>()
    subject.observeAsync { number in
      await Task.yield()
      if number == 3 { throw Failure() }
      heard("\(number)")
    } completion: {
      if case .failed(let error) = $0 { heard("# \(error)") }
    }
    for number in 1...4 { subject.send(number) }
    await wait(for: 3, in: heard)
    XCTAssertEqual(heard.all, ["1", "2", "# Failure()"])
    XCTAssertEqual(subject.observerCount, 0)
  }

  func testValuesFromNowOn() async throws {
    let subject = Subject<Int>()
    do {
      let values = subject.values(buffering: .newest(2)).startingNow()
      for number in 1...3 { subject.send(number) }
      subject.complete()
      var heard: [Int] = []
      for try await number in values { heard.append(number) }
      XCTAssertEqual(heard, [2, 3])
    }
    let other = Subject<Int>()
    do {
      let values = other.values.startingNow()
      XCTAssertEqual(other.observerCount, 1)
      withExtendedLifetime(values) {}
    }
    XCTAssertEqual(other.observerCount, 0)
  }
}
