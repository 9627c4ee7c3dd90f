import XCTest

@testable import RAC

/// The protocol of batches, without gates and threads: events in, what is to be done out.
final class BatchStateTests: LibraryTestCase {
  private enum Event { case linedUp, knocked, took, entered, published, told }
  private typealias Row = (Event, BatchState.Action, BatchState.Phase)

  private func feed(_ event: Event, to state: inout BatchState) -> BatchState.Action {
    switch event {
    case .linedUp:
      state.linedUp()
      return .wait
    case .knocked: return state.knocked()
    case .took: return state.took()
    case .entered: return state.entered()
    case .published: return state.published()
    case .told: return state.told()
    }
  }

  private func play(_ rows: [Row], line: UInt = #line) {
    var state = BatchState()
    for (index, (event, action, phase)) in rows.enumerated() {
      XCTAssertEqual(feed(event, to: &state), action, "event \(index)", line: line)
      XCTAssertEqual(state.phase, phase, "event \(index)", line: line)
    }
  }

  private let rest: [Row] = [
    (.entered, .workOut, .inside), (.published, .tell, .telling), (.told, .letGo, .over),
  ]

  func testAllGatesAreFree() {
    play(
      [
        (.linedUp, .wait, .liningUp(missing: 1)), (.linedUp, .wait, .liningUp(missing: 2)),
        (.took, .wait, .liningUp(missing: 1)), (.took, .wait, .liningUp(missing: 0)),
        (.knocked, .uniteAndPass, .passing),
      ] + rest)
  }

  func testOthersAreInTheGates() {
    play(
      [
        (.linedUp, .wait, .liningUp(missing: 1)), (.linedUp, .wait, .liningUp(missing: 2)),
        (.knocked, .wait, .holding(missing: 2)), (.took, .wait, .holding(missing: 1)),
        (.took, .uniteAndPass, .passing),
      ] + rest)
  }

  func testSomebodyIsInOneOfThem() {
    play(
      [
        (.linedUp, .wait, .liningUp(missing: 1)), (.linedUp, .wait, .liningUp(missing: 2)),
        (.took, .wait, .liningUp(missing: 1)), (.knocked, .wait, .holding(missing: 1)),
        (.took, .uniteAndPass, .passing),
      ] + rest)
  }

  /// One event goes on, and one alone, in whatever order claims and the knocking come.
  func testOneEventGoesOn() {
    for before in 0...5 {
      var state = BatchState()
      for _ in 0..<5 { state.linedUp() }
      var answers = (0..<before).map { _ in state.took() }
      answers.append(state.knocked())
      answers += (before..<5).map { _ in state.took() }
      let rest = Array(repeating: BatchState.Action.wait, count: 5)
      XCTAssertEqual(answers, rest + [.uniteAndPass])
    }
  }

  func testWhatComesOutOfOrderChangesNothing() {
    let events: [Event] = [.knocked, .took, .entered, .published, .told]
    var state = BatchState()
    state.linedUp()
    XCTAssertEqual(state.took(), .wait)
    for (due, action) in [
      (Event.knocked, BatchState.Action.uniteAndPass), (.entered, .workOut), (.published, .tell),
      (.told, .letGo),
    ] {
      for event in events where event != due && !(event == .took && due == .knocked) {
        let before = state
        XCTAssertEqual(feed(event, to: &state), .wait)
        XCTAssertEqual(state, before)
      }
      XCTAssertEqual(feed(due, to: &state), action)
    }
    XCTAssertEqual(state.phase, .over)
  }

  // MARK: Which changes count

  /// A letter is a property that is set, one with a prime a property that is modified.
  private func left(of changes: [String]) -> [String] {
    var cores: [Character: MutablePropertyCore] = [:]
    var batched = BatchedChanges()
    var names: [ObjectIdentifier: String] = [:]
    for name in changes {
      let core = cores[name.first!] ?? MutablePropertyCore(.null, isDistinct: false)
      cores[name.first!] = core
      let act: BatchedChange.Act =
        name.count == 1 ? .set : .modify(Context(nil, nil), { _, _, _ in 0 }, base: .null)
      let change = BatchedChange(core, .null, act)
      names[ObjectIdentifier(change)] = name
      _ = batched.append(change)
    }
    var left: [String] = []
    batched.each { left.append(names[ObjectIdentifier($0)]!) }
    return left
  }

  func testTheLastSetCountsAndWhatModifiesItAfterwards() {
    let table: [([String], [String])] = [
      ([], []),
      (["a"], ["a"]),
      (["a", "a", "a"], ["a"]),
      (["a", "b", "a"], ["b", "a"]),
      (["a", "a'", "a'"], ["a", "a'", "a'"]),
      (["a'", "a", "a'"], ["a", "a'"]),
      (["a'", "b", "a'", "b'"], ["a'", "b", "a'", "b'"]),
      (["a", "b'", "a'", "b", "c", "a"], ["b", "c", "a"]),
    ]
    for (changes, counting) in table { XCTAssertEqual(left(of: changes), counting) }
  }

  func testManySetsOfFewPropertiesTakeLittleRoom() {
    let cores = (0..<3).map { _ in MutablePropertyCore(.null, isDistinct: false) }
    var batched = BatchedChanges()
    let before = rac_queued_values()
    for number in 0..<10_000 {
      _ = batched.append(BatchedChange(cores[number % 3], .null))
      XCTAssertLessThanOrEqual(rac_queued_values(), before + 3)
    }
    var left = 0
    batched.each { _ in left += 1 }
    XCTAssertEqual(left, 3)
  }
}
