import Synchronization
import XCTest

@testable import RAC

/// Counts what happens to it.
private final class Probe: Object {
  let log: Guarded<[String]>

  init(_ log: Guarded<[String]>) { self.log = log }

  override func lastHandleReleased() { log.with { $0.append("released") } }

  deinit { log.with { $0.append("gone") } }
}

private final class GatedProbe: Core {
  let log: Guarded<[String]>

  init(_ log: Guarded<[String]>) { self.log = log }

  override func lastHandleReleased() { log.with { $0.append("released") } }

  deinit { log.with { $0.append("gone") } }
}

final class HandlesTests: LibraryTestCase {
  private let log = Guarded<[String]>([])

  override func setUp() {
    super.setUp()
    log.with { $0 = [] }
  }

  func testReleaseWhileTheGateIsHeldWaitsForIt() {
    var core: GatedProbe? = GatedProbe(log)
    let gate = core!.gate
    let handle = Handles.make(core!, .subscriber, at: gate)
    let hold = gate.enter()
    XCTAssertNotNil(hold)
    XCTAssertTrue(Handles.release(handle: handle))
    XCTAssertNil(Handles.acquire(handle), "stale from the release on")
    XCTAssertEqual(log.value, [])
    hold?.leave(core!)
    XCTAssertEqual(log.value, ["released"])
    core = nil
    XCTAssertEqual(log.value, ["released", "gone"])
  }

  func testCountsThatChangeMeanwhileDoNotKeepAGateHeld() {
    let core = GatedProbe(log)
    let handle = Handles.make(core, .subscriber, at: core.gate)
    for change in 0..<4 {
      let hold = Gate.enter(by: handle)
      XCTAssertNotNil(hold)
      XCTAssertNil(Gate.enter(by: handle), "it is held")
      var slot: Slot?
      switch change {
      case 0: XCTAssertNotNil(Handles.retain(handle))
      case 1: XCTAssertTrue(Handles.release(handle: handle))
      case 2: slot = Handles.acquire(handle)
      default: XCTAssertTrue(Handles.release(handle: handle))
      }
      hold?.leave(core)
      XCTAssertFalse(currentThread().isInsideEngine)
      XCTAssertEqual(log.value, change == 3 ? ["released"] : [])
      if let slot { Handles.release(slot) }
    }
    XCTAssertNil(Gate.enter(by: handle), "it is stale")
  }

  func testMorePinsThanAWordCountsAreRefused() {
    let handle = Handles.make(Probe(log), .plainSignal)
    let most = Int(Word.pins / Word.onePin)
    for _ in 0..<most { _ = Handles.acquire(handle) }
    XCTAssertNil(Handles.acquire(handle))
    XCTAssertNotNil(Handles.retain(handle), "the references are others")
    XCTAssertTrue(Handles.release(handle: handle))
    XCTAssertTrue(Handles.release(handle: handle))
    let slot = Slots.at(UInt64(UInt(bitPattern: handle)) & Slots.indexMask)
    for pin in 0..<most {
      XCTAssertEqual(log.value, [], "pin \(pin) of \(most)")
      Handles.release(slot)
    }
    XCTAssertEqual(log.value, ["released", "gone"])
  }

  func testMoreReferencesThanAWordCountsAreRefused() {
    let handle = Handles.make(Probe(log), .plainSignal)
    let most = Int(Word.references / Word.oneReference)
    for _ in 1..<most { XCTAssertNotNil(Handles.retain(handle)) }
    XCTAssertNil(Handles.retain(handle))
    let slot = Handles.acquire(handle)
    XCTAssertNotNil(slot, "the pins are others")
    for _ in 0..<most {
      XCTAssertEqual(log.value, [])
      XCTAssertTrue(Handles.release(handle: handle))
    }
    XCTAssertFalse(Handles.release(handle: handle))
    XCTAssertEqual(log.value, [], "a call still uses it")
    if let slot { Handles.release(slot) }
    XCTAssertEqual(log.value, ["released", "gone"])
  }

  func testNoReleaseEndsAnImmortalHandle() {
    for _ in 0..<1000 { XCTAssertTrue(Handles.release(handle: Scheduler.immediateHandle)) }
    let slot = Handles.acquire(Scheduler.immediateHandle)
    XCTAssertEqual(
      slot?.object, Unmanaged.passUnretained(Scheduler.immediate).toOpaque())
  }

  func testThreadsThatRaceWithTheLastRelease() {
    for _ in 0..<300 {
      log.with { $0 = [] }
      let probe = Unmanaged<Object>.passRetained(Probe(log))
      let handle = Handles.make(owned: probe, .plainSignal)
      let successes = Guarded(0)
      inParallel(3) { number in
        if number == 0 {
          if Handles.release(handle: handle) { successes.with { $0 += 1 } }
          return
        }
        for _ in 0..<20 {
          guard let slot = Handles.acquire(handle) else { return }
          XCTAssertEqual(slot.object, probe.toOpaque())
          Handles.release(slot)
        }
      }
      XCTAssertEqual(successes.value, 1)
      XCTAssertNil(Handles.acquire(handle))
      XCTAssertEqual(log.value, ["released", "gone"])
    }
  }
}
