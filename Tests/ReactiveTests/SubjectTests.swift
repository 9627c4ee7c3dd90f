import CRAC
import Foundation
import Reactive
import XCTest

/// Subjects, signals that are made with a closure, and disposables.
final class SubjectTests: FaceTestCase {
  func testOperators() {
    let heard = Heard<String>()
    let numbers = Subject<Int>()
    let others = Subject<Int>()
    numbers.map { $0 * 10 }.filter { $0 != 20 }.scan(0, +).record(in: heard)
    numbers.merge(with: others).map { "m\($0)" }.record(in: heard)
    numbers.combineLatest(with: others).map { "c\($0)\($1)" }.record(in: heard)
    numbers.flatMap { Signal.just($0) }.map { "f\($0)" }.record(in: heard)
    for number in 1...3 { XCTAssertEqual(numbers.send(number), .delivered) }
    others.send(7)
    XCTAssertEqual(numbers.observerCount, 4)
    numbers.complete()
    others.complete()
    XCTAssertEqual(
      heard.all, ["10", "m1", "f1", "m2", "f2", "40", "m3", "f3", "m7", "c37", "|", "|", "|", "|"])
  }

  /// A closure that makes a `Signal` may be written with a dot.
  func testSignalsWithADot() {
    struct Failure: Error {}
    let heard = Heard<String>()
    let numbers = Subject<Int>()
    let property = Property(7)
    numbers.flatMap { .just($0) }.map { "a\($0 + 1)" }.record(in: heard)
    numbers.flatMap { $0 > 1 ? .just("b\($0)") : .empty }.record(in: heard)
    // Its closure keeps the property, whose signal goes on: that has to be ended.
    let flat = numbers.flatMap { _ in property.signal }.map { "c\($0)" }.record(in: heard)
    numbers.flatMap(maxConcurrent: 1) { .just("d\($0)") }.record(in: heard)
    numbers.concatMap { .just("e\($0)") }.record(in: heard)
    numbers.flatMapLatest { .just("f\($0)") }.record(in: heard)
    let latest = numbers.flatMapLatest { _ in property.signal }.map { "g\($0)" }.record(in: heard)
    numbers.flatMapFirst { .just("h\($0)") }.record(in: heard)
    numbers.map { _ in throw Failure() }.catch { _ in .just("i") }.record(in: heard)
    numbers.expand { $0 < 3 ? .just($0 + 1) : .empty }.map { "j\($0)" }.record(in: heard)
    Signal.deferred { .just("k") }.record(in: heard)
    numbers.send(2)
    XCTAssertEqual(
      heard.all,
      ["k", "|", "a3", "b2", "c7", "d2", "e2", "f2", "g7", "h2", "i", "|", "j2", "j3"])
    numbers.complete()
    flat.dispose()
    latest.dispose()
  }

  func testMemories() {
    let heard = Heard<String>()
    let replaying = Subject<Int>(replaying: 2)
    for number in 1...3 { replaying.send(number) }
    replaying.complete()
    replaying.record(in: heard)
    let current = Subject(current: "a")
    current.send("b")
    current.record(in: heard)
    XCTAssertEqual(heard.all, ["2", "3", "|", "b"])
  }

  /// What is sent after the end is not delivered, and says so.
  func testSendsAfterTheEnd() {
    let heard = Heard<String>()
    Signal<Int> { observer in
      observer.send(1)
      observer.complete()
      XCTAssertEqual(observer.send(2), .ended)
      XCTAssertEqual(observer.complete(), .ended)
      XCTAssertFalse(observer.isActive)
    }.record(in: heard)
    XCTAssertEqual(heard.all, ["1", "|"])
  }

  func testAnObserverIsKeptAndLetGoOf() {
    let heard = Heard<String>()
    let kept = Heard<Observer<Int>>()
    let ended = Heard<Int>()
    let subscription = Signal<Int> { observer in
      kept(observer)
      observer.onTermination { ended(1) }
    }.record(in: heard)
    kept.all[0].send(1)
    XCTAssertTrue(kept.all[0].isActive)
    subscription.dispose()
    XCTAssertTrue(subscription.isDisposed)
    XCTAssertEqual(kept.all[0].send(2), .ended)
    XCTAssertEqual(ended.all, [1])
    XCTAssertEqual(heard.all, ["1"])
  }

  /// A thread uses again what nobody kept, so what somebody has must not be among it: callbacks
  /// inside each other, and references that go on other threads, or inside a later callback.
  func testObserversThatAreKeptAreNobodyElses() {
    let heard = Heard<String>()
    let token = Counted(1)
    nonisolated(unsafe) var kept: [Observer<Int>] = []
    @Sendable func observe(_ name: String, _ run: @escaping @Sendable (Observer<Int>) -> Void) {
      Signal<Int>(run).observe {
        heard("\(name)\($0)"); withExtendedLifetime(token) {}
      }
    }
    for round in 1...3 {
      observe("outer") { outer in
        outer.send(round)
        observe("kept") { inner in
          inner.send(round)
          kept.append(inner)
          observe("deep") { $0.send(round) }
        }
        outer.send(round * 10)
      }
      observe("after") { $0.send(round) }
    }
    XCTAssertEqual(Array(heard.all.prefix(5)), ["outer1", "kept1", "deep1", "outer10", "after1"])
    XCTAssertEqual(kept.map { $0.send(7) }, [.delivered, .delivered, .delivered])
    XCTAssertEqual(Array(heard.all.suffix(3)), ["kept7", "kept7", "kept7"])
    observe("last") { last in
      kept.removeFirst()
      last.send(8)
      let rest = Heard<Observer<Int>>()
      kept.forEach { rest($0) }
      kept = []
      let thread = Thread { rest.empty() }
      thread.start()
      while rest.count > 0 || !thread.isFinished { usleep(100) }
      observe("new") { $0.send(9) }
    }
    XCTAssertEqual(Array(heard.all.suffix(2)), ["last8", "new9"])
  }

  /// What an observation hears with is let go of at its end, and its memory serves the next.
  func testWhatHearsIsLetGoOf() {
    let before = Counted.alive
    let subject = Subject<Int>()
    for round in 0..<200 {
      let token = Counted(round)
      let ending = Counted(round)
      let subscriptions = (0..<3).map { _ in
        subject.observe { _ in
          _ = token.number
        } completion: { _ in
          _ = ending.number
        }
      }
      subject.send(round)
      subscriptions.forEach { $0.dispose() }
    }
    XCTAssertEqual(Counted.alive, before)
  }

  func testLettingGoOfADisposable() {
    let heard = Heard<Int>()
    let subject = Subject<Int>()
    do { _ = subject.observe { heard($0) } }
    subject.send(1)
    var scoped: Disposable? = subject.observe { heard($0 * 10) }.scoped()
    subject.send(2)
    withExtendedLifetime(scoped) {}
    scoped = nil
    subject.send(3)
    XCTAssertEqual(heard.all, [1, 2, 20, 3])
  }

  func testSources() {
    struct Failure: Error {}
    let heard = Heard<String>()
    Signal.just(1).record(in: heard)
    Signal<Int>.empty.record(in: heard)
    Signal<Int>.never.record(in: heard).dispose()
    Signal<Int>.fail(Failure()).record(in: heard)
    Signal<Int> { _ in throw Failure() }.record(in: heard)
    XCTAssertEqual(heard.all, ["1", "|", "|", "# Failure()", "# Failure()"])
  }

  /// What closures capture goes with the signal and the subscription; one that captures nothing
  /// needs no context of its own.
  func testWhatClosuresCapture() {
    struct Failure: Error {}
    let heard = Heard<Int>()
    let bare = Signal<Int> { $0.send(7) }
    bare.observe { heard($0) }
    bare.observe { heard($0) }
    Signal<Int> { _ in throw Failure() }.observe { _ in
    } completion: {
      if case .failed(let error) = $0, error is Failure { heard(-1) }
    }
    do {
      let (made, hears, ends) = (Counted(1), Counted(2), Counted(3))
      let signal = Signal<Int> { $0.send(made.number) }
      signal.handleNext { heard($0 + hears.number) }.observe {
        heard($0 * hears.number)
      } completion: { _ in
        heard(ends.number)
      }
      XCTAssertEqual(Counted.alive, 3)
    }
    XCTAssertEqual(Counted.alive, 0)
    XCTAssertEqual(heard.all, [7, 7, -1, 3, 2])
  }

  /// What is printed tells what it is, and no pointer.
  func testDescriptions() {
    let subject = Subject<Int>()
    let observing = subject.observe { _ in }
    let property = Property("a")
    let command = Command<Int, Void>(on: .immediate) { _ in .never }
    XCTAssertEqual("\(subject)", "Subject<Int>(observers: 1)")
    XCTAssertEqual("\(subject.map { $0 + 1 }.named("höher"))", "Signal<Int>(höher)")
    XCTAssertEqual("\(Signal.just(1))", "Signal<Int>()")
    XCTAssertEqual("\(property)", "Property<String>(a)")
    XCTAssertEqual("\(property.mapped { $0.count })", "DerivedProperty<Int>(1)")
    XCTAssertEqual("\(command)", "Command<Int, ()>(enabled)")
    XCTAssertEqual("\(observing)", "Disposable(active)")
    observing.dispose()
    XCTAssertEqual("\(observing)", "Disposable(disposed)")
    for shown in [subject.signal, subject, property, command] as [Any] {
      var text = ""
      dump(shown, to: &text)
      XCTAssertFalse(text.contains("pointer") || text.contains("0x"), text)
    }
  }

  /// A chain that is too long is refused by the engine: then the signal fails.
  func testWhatTheEngineRefuses() {
    var signal = Signal.just(1)
    for _ in 0..<5000 { signal = signal.map { $0 } }
    let heard = Heard<Bool>()
    signal.observe { _ in
    } completion: {
      if case .failed(let error as EngineError) = $0 { heard(error.code == Int(RAC_ERANGE)) }
    }
    XCTAssertEqual(heard.all, [true])
  }

  /// From a thread that the library knows nothing of a cold signal starts before observing returns.
  func testAForeignThread() {
    let heard = Heard<Int>()
    let done = expectation(description: "done")
    Thread {
      Signal.just(1).map { $0 + 1 }.observe { heard($0) }
      XCTAssertEqual(heard.all, [2])
      done.fulfill()
    }.start()
    wait(for: [done], timeout: 60)
  }
}
