import Reactive
import ReactiveTesting
import XCTest

/// One source for many observers.
final class SharingTests: OperatorCase {
  private let runs = Heard<Int>()

  /// Counts who observes it.
  private func counted(_ diagram: String) throws -> Signal<String> {
    let runs = runs
    return try letters(diagram).handleStart { runs(1) }
  }

  func testReplay() throws {
    let replayed = try counted("-a-b|").replay()
    let last = try counted("-a-b|").replayLast()
    let lazily = try counted("-a-b|").replayLazily()
    XCTAssertEqual(runs.count, 2)
    marbles.scheduler.advance(by: .seconds(3))
    XCTAssertEqual(marbles.diagram(of: replayed, steps: 2), "a@0 b@0 |@1")
    XCTAssertEqual(runs.count, 2)
    expect(last, "(b|)")
    expect(lazily, "-a-b|")
    expect(lazily, "(ab|)")
    XCTAssertEqual(runs.count, 3)
  }

  func testShare() throws {
    let shared = try counted("-a-b-c|").share()
    let heard = Heard<String>()
    let subscription = shared.record(in: heard)
    marbles.scheduler.advance(by: .seconds(2))
    expect(shared, "-b-c|")
    XCTAssertEqual(heard.all, ["a", "b", "c", "|"])
    XCTAssertEqual(runs.count, 1)
    expect(shared, "-a-b-c|")
    XCTAssertEqual(runs.count, 2)
    subscription.dispose()
  }

  func testShareReplaying() throws {
    let aged = try counted("-a-b-c|").share(
      replaying: 9, noOlderThan: .seconds(2), on: marbles.scheduler)
    let subscription = aged.observe { _ in }
    marbles.scheduler.advance(by: .milliseconds(4500))
    expect(aged.prefix(1), "(b|)")
    subscription.dispose()
    let shared = try counted("-a-b-c").share(replaying: 1)
    let other = shared.observe { _ in }
    marbles.scheduler.advance(by: .seconds(2))
    expect(shared.prefix(2), "a(b|)")
    XCTAssertEqual(runs.count, 2)
    other.dispose()
  }

  func testConnection() throws {
    let connection = try counted("-a-b|").publish()
    let heard = Heard<String>()
    connection.record(in: heard)
    marbles.scheduler.advance(by: .seconds(3))
    XCTAssertEqual(heard.all, [])
    connection.connect()
    connection.connect()
    expect(connection, "-a-b|")
    XCTAssertEqual(heard.all, ["a", "b", "|"])
    XCTAssertEqual(runs.count, 1)
    let remembering = try counted("-a|").multicast(Subject(replaying: 1))
    expect(remembering.autoconnect(), "-a|")
    expect(remembering.signal, "(a|)")
  }
}
