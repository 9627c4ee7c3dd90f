import CRAC
import Reactive
import XCTest

/// How long observations last, and how they are found.
final class LifetimeTests: FaceTestCase {
  private final class Panel: ObservationOwner {
    let observations = DisposableBag()
    let heard: Heard<String>

    init(_ names: Subject<String>, _ heard: Heard<String>) {
      self.heard = heard
      names.observe(owner: self) { panel, name in
        panel.heard(name)
      } completion: { panel, _ in
        panel.heard("|")
      }
      names.map { $0.count }.observe(owner: self) { panel, count in panel.heard("\(count)") }
    }

    deinit { heard("gone") }
  }

  func testAnOwnersObservationsEndWithIt() {
    let names = Subject<String>()
    let heard = Heard<String>()
    var panel: Panel? = Panel(names, heard)
    names.send("Ada")
    XCTAssertEqual(names.observerCount, 2)
    XCTAssertEqual(panel?.observations.count, 2)
    panel = nil
    XCTAssertEqual(names.observerCount, 0)
    names.send("Grace")
    XCTAssertEqual(Set(heard.all), ["Ada", "3", "gone"])
  }

  func testAnOwnerHearsTheEnd() {
    let names = Subject<String>()
    let heard = Heard<String>()
    let panel = Panel(names, heard)
    names.complete()
    XCTAssertEqual(heard.all, ["|"])
    XCTAssertEqual(panel.observations.count, 0)
  }

  /// The owner's last reference goes inside of its observer.
  func testAnOwnerThatGoesWhileItHears() {
    final class Holder: @unchecked Sendable { var panel: Panel? }
    let names = Subject<String>()
    let heard = Heard<String>()
    let holder = Holder()
    names.observe { _ in holder.panel = nil }
    holder.panel = Panel(names, heard)
    names.send("Ada")
    XCTAssertEqual(heard.all, ["gone"])
    XCTAssertEqual(names.observerCount, 1)
  }

  @MainActor private final class Screen: ObservationOwner {
    let observations = DisposableBag()
    var shown: [String] = []

    func show(_ names: Signal<String>) {
      names.observeOnMain(owner: self) {
        $0.shown.append($1)
      } completion: { screen, _ in
        screen.shown.append("|")
      }
    }
  }

  @MainActor func testAnOwnerOnTheMainActor() async throws {
    let names = Subject<String>(current: "Ada")
    var screen: Screen? = Screen()
    screen?.show(names.signal)
    while screen?.shown.isEmpty == true { await Task.yield() }
    XCTAssertEqual(screen?.shown, ["Ada"])
    screen = nil
    XCTAssertEqual(names.observerCount, 0)
    names.send("Grace")
    // The main scheduler lets go of what it has run.
    await withCheckedContinuation { turn in Scheduler.main.schedule { turn.resume() } }
  }

  func testABag() {
    let subject = Subject<Int>()
    let heard = Heard<Int>()
    do {
      let bag = DisposableBag()
      subject.observe { heard($0) }.store(in: bag)
      // Those that have ended do not stay.
      for _ in 0..<1000 { subject.prefix(0).observe { _ in }.store(in: bag) }
      XCTAssertEqual(bag.count, 1)
      bag.disposeAll()
      XCTAssertEqual(subject.observerCount, 0)
      subject.observe { heard($0) }.store(in: bag)
      subject.send(1)
    }
    subject.send(2)
    XCTAssertEqual(heard.all, [1])
  }

  func testLiveObservations() async throws {
    let before = liveObservations().count
    recordsObservations = true
    defer { recordsObservations = false }
    let subject = Subject<Int>()
    let named = subject.map { $0 * 2 }.named("doubled")
    let line: UInt = #line + 1
    let first = named.observe { _ in }
    let second = named.observe { _ in
    } completion: { _ in
    }
    let live = liveObservations().dropFirst(before)
    XCTAssertEqual(live.map(\.signal), ["doubled", "doubled"])
    XCTAssertEqual(live.map(\.line), [line, line + 1])
    XCTAssertEqual(
      live.first.map { "\($0)" }, "ReactiveTests/LifetimeTests.swift:\(line): doubled")
    var iterator = named.values.makeAsyncIterator()
    XCTAssertEqual(liveObservations().last.map { "\($0)" }, "a loop: doubled")
    first.dispose()
    XCTAssertEqual(liveObservations().count, before + 2)
    subject.send(1)
    subject.complete()
    let next = try await iterator.next()
    XCTAssertEqual(next, 2)
    XCTAssertEqual(liveObservations().count, before)
    withExtendedLifetime(second) {}
  }
}
