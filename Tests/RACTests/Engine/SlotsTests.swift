import XCTest

@testable import RAC

final class SlotsTests: LibraryTestCase {
  func testThreadsNeverGetTheSameSlot() {
    let perThread = 5000
    let all = Guarded<[UInt32]>([])
    inParallel(4) { _ in
      var mine: [UInt32] = []
      // Giving some back in between makes slots wander between the threads' caches.
      for round in 0..<perThread {
        mine.append(Slots.allocate().index)
        if round % 3 == 2 { Slots.free(SlotsTests.slot(mine.removeFirst())) }
      }
      all.with { $0 += mine }
    }
    let indices = all.value
    XCTAssertEqual(Set(indices).count, indices.count)
    XCTAssertFalse(indices.contains(0), "slot 0 is what NULL names")
    for index in indices { Slots.free(SlotsTests.slot(index)) }
  }

  func testAFreedSlotIsUsedAgain() {
    let slot = Slots.allocate()
    Slots.free(slot)
    let again = Slots.allocate()
    XCTAssertEqual(slot.base, again.base)
    Slots.free(again)
  }

  func testSlotsOfAThreadThatEndedAreUsedAgain() {
    let left = Guarded<Set<UInt32>>([])
    inParallel(1) { _ in
      let taken = (0..<200).map { _ in Slots.allocate() }
      for slot in taken { Slots.free(slot) }
      left.with { $0 = Set(taken.map { $0.index }) }
    }
    var taken: [Slot] = []
    // The thread's exit and this one race; the table has room for a few chunks meanwhile.
    let found = eventually {
      taken.append(contentsOf: (0..<64).map { _ in Slots.allocate() })
      return taken.contains { left.value.contains($0.index) }
    }
    XCTAssertTrue(found)
    for slot in taken { Slots.free(slot) }
  }

  func testASlotIsRetiredBeforeItsGenerationWraps() {
    let slot = Slots.allocate()
    SlotsTests.set(slot, generation: (1 << 26) - 2)
    Slots.free(slot)
    let others = (0..<1000).map { _ in Slots.allocate() }
    XCTAssertFalse(others.contains { $0.base == slot.base })
    for slot in others { Slots.free(slot) }
  }

  func testHandlesOfTheLastGenerationsStayStale() {
    let slot = Slots.allocate()
    SlotsTests.set(slot, generation: (1 << 26) - 4)
    Slots.free(slot)
    var old: [OpaquePointer] = []
    for _ in 0..<4 {
      let handle = Handles.make(Object(), .plainSignal)
      XCTAssertEqual(UInt64(UInt(bitPattern: handle)) >> 53, 0)
      XCTAssertTrue(Handles.release(handle: handle))
      old.append(handle)
    }
    XCTAssertEqual(Set(old).count, 4)
    let places = old.map { UInt32(UInt64(UInt(bitPattern: $0)) & Slots.indexMask) }
    XCTAssertEqual(places.filter { $0 == slot.index }.count, 2, "two generations were left")
    for handle in old {
      XCTAssertNil(Handles.acquire(handle))
      XCTAssertFalse(Handles.release(handle: handle))
    }
  }

  func testAnIndexThatWasNeverGivenOutReadsAsAFreeSlot() {
    for index in [Slots.indexMask, Slots.indexMask / 2] {
      XCTAssertEqual(Slots.at(index).word.pointee.load(ordering: .relaxed), 0)
      XCTAssertNil(Handles.acquire(OpaquePointer(bitPattern: UInt(index))!))
    }
  }

  private static func slot(_ index: UInt32) -> Slot { Slots.at(UInt64(index)) }

  private static func set(_ slot: Slot, generation: UInt64) {
    slot.word.pointee.store(generation &* Word.oneGeneration, ordering: .relaxed)
  }
}
