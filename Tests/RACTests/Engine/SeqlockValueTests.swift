import XCTest

@testable import RAC

/// The two places and the holder of a property's value, without a property around them.
final class SeqlockValueTests: LibraryTestCase {
  /// In the cell of the last slot, which nothing else comes to have.
  private let latest = SeqlockValue(PropertyCell(of: UInt32(Slots.indexMask)))

  override func tearDown() {
    latest.destroy()
    super.tearDown()
  }

  private func store(_ value: Value) { SeqlockValue.retire(latest.store(value)) }

  private func read() -> Value {
    let value = latest.read()
    value.release()
    return value
  }

  func testVersionsGrowByOne() {
    let before = latest.version
    for number in 0..<5 { store(.int64(Int64(number))) }
    XCTAssertEqual(latest.version, before + 5)
    XCTAssertEqual(latest.readWithVersion().version, before + 5)
    XCTAssertEqual(read().bits, 4)
  }

  func testCountedValuesComeAndGo() {
    let pair = Value.pair(.int64(1), .int64(2))
    store(pair.retained())
    XCTAssertEqual(read().elements.count, 2)
    store(.int64(3))
    XCTAssertEqual(read().bits, 3)
    store(pair.retained())
    store(pair)
    let (value, version) = latest.readWithVersion()
    XCTAssertEqual(version, latest.version)
    XCTAssertEqual(value.elements[1].bits, 2)
    value.release()
  }

  func testWhatWasReplacedIsGoodUntilRetired() {
    let pair = Value.pair(.int64(7), .null)
    store(pair)
    let retired = latest.store(.int64(1))
    XCTAssertEqual(pair.elements[0].bits, 7)
    SeqlockValue.retire(retired)
    XCTAssertEqual(read().bits, 1)
  }

  func testAValueThatIsReadOutlivesItsReplacement() {
    store(Value.pair(.int64(7), .null))
    let mine = latest.read()
    store(.int64(1))
    store(Value.pair(.int64(8), .null))
    XCTAssertEqual(mine.elements[0].bits, 7)
    mine.release()
  }
}
