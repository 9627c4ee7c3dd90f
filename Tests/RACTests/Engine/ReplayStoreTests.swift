import XCTest

@testable import RAC

final class ReplayStoreTests: LibraryTestCase {
  func testAgainstAnArray() {
    var generator = SeededGenerator(seed: 3)
    for capacity in [0, 1, 2, 5, 63, 64, 65, 200, 1000] {
      var store = ReplayStore(capacity: capacity)
      var model: [Int64] = []
      for _ in 0..<Int.random(in: 0..<2000, using: &generator) {
        let number = Int64.random(in: 0..<1000, using: &generator)
        model.append(number)
        let evicted = model.count > capacity ? model.removeFirst() : nil
        XCTAssertEqual(add(.int64(number), to: &store)?.bits, evicted)
        XCTAssertEqual(store.count, model.count)
      }
      XCTAssertEqual(contents(store), model)
    }
  }

  func testEveryValueIsReleasedOnce() {
    for capacity in [0, 1, 3, 64, 130, Int.max] {
      let counts = UnsafeMutablePointer<Int32>.allocate(capacity: 500)
      counts.initialize(repeating: 0, count: 500)
      do {
        var store = ReplayStore(capacity: capacity)
        for index in 0..<500 {
          let value = Value.ownedPointer(counts + index, type: 0) {
            $0!.assumingMemoryBound(to: Int32.self).pointee += 1
          }
          add(value!, to: &store)?.release()
        }
        let kept = min(capacity, 500)
        let released = (0..<500).map { counts[$0] }
        XCTAssertEqual(released, (0..<500).map { $0 < 500 - kept ? 1 : 0 })
      }
      XCTAssertTrue((0..<500).allSatisfy { counts[$0] == 1 })
      counts.deallocate()
    }
  }

  /// The value that had to make room, as whoever remembers has it.
  private func add(_ value: Value, to store: inout ReplayStore) -> Value? {
    if store.isFull { return store.replaceOldest(value) }
    store.append(value)
    return nil
  }

  private func contents(_ store: borrowing ReplayStore) -> [Int64] {
    var contents: [Int64] = []
    store.forEach {
      contents.append($0.bits)
      return true
    }
    XCTAssertEqual(contents.count, store.count)
    return contents
  }
}
