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
        let (_, index) = Slots.allocate()
        mine.append(index)
        if round % 3 == 2 {
          let back = mine.removeFirst()
          Slots.free(SlotsTests.slot(back), back)
        }
      }
      all.with { $0 += mine }
    }
    let indices = all.value
    XCTAssertEqual(Set(indices).count, indices.count)
    XCTAssertFalse(indices.contains(0), "slot 0 is what NULL names")
    for index in indices { Slots.free(SlotsTests.slot(index), index) }
  }

  func testAFreedSlotIsUsedAgain() {
    let (slot, index) = Slots.allocate()
    Slots.free(slot, index)
    let (again, sameIndex) = Slots.allocate()
    XCTAssertEqual(index, sameIndex)
    XCTAssertEqual(slot.base, again.base)
    Slots.free(again, sameIndex)
  }

  func testSlotsOfAThreadThatEndedAreUsedAgain() {
    let left = Guarded<Set<UInt32>>([])
    inParallel(1) { _ in
      let taken = (0..<200).map { _ in Slots.allocate() }
      for (slot, index) in taken { Slots.free(slot, index) }
      left.with { $0 = Set(taken.map { $0.1 }) }
    }
    var taken: [(Slot, UInt32)] = []
    // The thread's exit and this one race; the table has room for a few chunks meanwhile.
    let found = eventually {
      taken.append(contentsOf: (0..<64).map { _ in Slots.allocate() })
      return taken.contains { left.value.contains($0.1) }
    }
    XCTAssertTrue(found)
    for (slot, index) in taken { Slots.free(slot, index) }
  }

  func testASlotIsRetiredBeforeItsGenerationWraps() {
    let (slot, index) = Slots.allocate()
    SlotsTests.set(slot, generation: (1 << 26) - 2)
    Slots.free(slot, index)
    let others = (0..<1000).map { _ in Slots.allocate() }
    XCTAssertFalse(others.contains { $0.1 == index })
    for (slot, index) in others { Slots.free(slot, index) }
  }

  func testHandlesOfTheLastGenerationsStayStale() {
    let (slot, index) = Slots.allocate()
    SlotsTests.set(slot, generation: (1 << 26) - 4)
    Slots.free(slot, index)
    var old: [OpaquePointer] = []
    for _ in 0..<4 {
      let handle = Handles.make(Object(), .plainSignal)
      XCTAssertEqual(UInt64(UInt(bitPattern: handle)) >> 53, 0)
      XCTAssertTrue(Handles.release(handle: handle))
      old.append(handle)
    }
    XCTAssertEqual(Set(old).count, 4)
    let places = old.map { UInt32(UInt64(UInt(bitPattern: $0)) & Slots.indexMask) }
    XCTAssertEqual(places.filter { $0 == index }.count, 2, "two generations were left")
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
