import Synchronization
import XCTest

@testable import RAC

/// Writes down the numbers it is given and looks out for company.
private final class Log: Core {
  var numbers: [Int64] = []
  var overlaps = 0
  /// For those outside the gate.
  let applied = Atomic<Int>(0)
  var onApply: ((Int64) -> Void)?
  private var isInside = false

  override func apply(_ operation: RAC.Operation, _ object: Object?, _ value: Value) {
    if isInside { overlaps += 1 }
    isInside = true
    numbers.append(value.bits)
    onApply?(value.bits)
    isInside = false
    applied.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }
}

final class GateTests: LibraryTestCase {
  func testQueuedOperationsAreAppliedOldestFirst() {
    let log = Log()
    let hold = log.gate.enter()
    XCTAssertNotNil(hold)
    for number in 1...100 {
      XCTAssertEqual(log.submit(.next, nil, .int64(Int64(number))), Status.queued)
    }
    XCTAssertEqual(log.numbers, [])
    hold?.leave(log)
    XCTAssertEqual(log.numbers, Array(1...100))
  }

  func testASubmitFromInsideIsAppliedAfterwards() {
    let log = Log()
    log.onApply = { number in
      if number >= 4 { return }
      XCTAssertEqual(log.submit(.next, nil, .int64(number * 2)), Status.queued)
      XCTAssertEqual(log.submit(.next, nil, .int64(number * 2 + 1)), Status.queued)
    }
    XCTAssertEqual(log.submit(.next, nil, .int64(1)), Status.ok)
    XCTAssertEqual(log.numbers, [1, 2, 3, 4, 5, 6, 7], "breadth first")
    XCTAssertEqual(log.overlaps, 0)
    log.onApply = nil
  }

  func testWhoPostsToAGateThatHasJustBeenLeftAppliesItself() {
    let log = Log()
    XCTAssertFalse(log.gate.post(log, .next, nil, .int64(5)))
    XCTAssertEqual(log.numbers, [5])
    let hold = log.gate.enter()
    XCTAssertNotNil(hold, "it was left again")
    hold?.leave(log)
  }

  func testDisturbedWhileSomethingWaits() {
    let log = Log()
    let hold = log.gate.enter()
    XCTAssertFalse(log.gate.isDisturbed)
    log.submit(.next)
    XCTAssertTrue(log.gate.isDisturbed)
    hold?.leave(log)
    XCTAssertFalse(log.gate.isDisturbed)
  }

  func testTheThreadIsInsideTheEngineExactlyMeanwhile() {
    let log = Log()
    var inside: [Bool] = []
    log.onApply = { number in
      inside.append(currentThread().isInsideEngine)
      if number == 1 { log.submit(.next, nil, .int64(2)) }
    }
    log.submit(.next, nil, .int64(1))
    XCTAssertEqual(inside, [true, true])
    XCTAssertFalse(currentThread().isInsideEngine)
    log.onApply = nil
  }

  func testQueuedValuesAreHeldAndThenReleased() {
    let log = Log()
    let before = rac_live_objects()
    let hold = log.gate.enter()
    let text = Value.pair(.int64(1), .null)
    log.submit(.next, nil, text)
    text.release()
    XCTAssertEqual(rac_live_objects(), before + 1)
    hold?.leave(log)
    XCTAssertEqual(rac_live_objects(), before)
  }

  func testFourThreadsNeverOverlapAndNothingIsLost() {
    let log = Log()
    let perThread: Int64 = 100_000
    log.numbers.reserveCapacity(400_000)
    inParallel(4) { thread in
      for number in 0..<perThread {
        log.submit(.next, nil, .int64(Int64(thread) << 32 | number))
      }
    }
    // What was queued may be with a thread of the library by now.
    XCTAssertTrue(eventually { log.applied.load(ordering: .acquiring) == 400_000 })
    XCTAssertEqual(log.overlaps, 0)
    XCTAssertEqual(log.numbers.count, 400_000)
    // Each thread's own operations in the order it gave them.
    var expected: [Int64] = [0, 0, 0, 0]
    var outOfOrder = 0
    for entry in log.numbers {
      let thread = Int(entry >> 32)
      if entry & 0xFFFF_FFFF != expected[thread] { outOfOrder += 1 }
      expected[thread] += 1
    }
    XCTAssertEqual(outOfOrder, 0)
    XCTAssertEqual(expected, Array(repeating: perThread, count: 4))
  }
}
