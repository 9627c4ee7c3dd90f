import RAC
import XCTest

// docs/Sequences.md
/// A sequence of the library, for `for`, `map` and the rest of Swift. Takes the reference over.
final class Values: Sequence {
  let handle: OpaquePointer?

  init(_ handle: OpaquePointer?) { self.handle = handle }
  deinit { rac_release(.init(handle)) }

  func makeIterator() -> Iterator { Iterator(rac_sequence_iterate(handle)) }

  final class Iterator: IteratorProtocol {
    private let handle: OpaquePointer?

    init(_ handle: OpaquePointer?) { self.handle = handle }
    deinit { rac_release(.init(handle)) }

    /// The caller releases values that need it.
    func next() -> rac_value? {
      var value = rac_value_nil()
      return rac_sequence_next(handle, &value) == 0 ? value : nil
    }
  }
}
// end

/// Swift's own ways with a sequence, over one of the library.
final class SequenceTests: XCTestCase {
  private var before: UInt64 = 0

  override func setUp() { before = rac_live_objects() }
  override func tearDown() { XCTAssertEqual(rac_live_objects(), before) }

  func testForAndMap() {
    let numbers = Values(rac_sequence_range(1, 1, 4))
    XCTAssertEqual(numbers.map(\.bits), [1, 2, 3, 4])
    XCTAssertEqual(numbers.reduce(0) { $0 + $1.bits }, 10)
    var seen: [Int64] = []
    for number in numbers where number.bits % 2 == 0 { seen.append(number.bits) }
    XCTAssertEqual(seen, [2, 4])
  }

  func testWithoutAnEnd() {
    let numbers = rac_sequence_range(0, 1, .max)
    let squares = Values(
      rac_sequence_map(
        numbers, nil,
        { _, value, out in
          out?.pointee = rac_value_int64(value.bits * value.bits)
          return 0
        }, nil))
    rac_release(.init(numbers))
    XCTAssertEqual(squares.prefix(4).map(\.bits), [0, 1, 4, 9])
    XCTAssertEqual(squares.first { $0.bits > 50 }?.bits, 64)
  }

  func testTwoIteratorsOfOne() {
    let numbers = Values(rac_sequence_range(1, 1, 2))
    let pairs = zip(numbers, numbers.dropFirst()).map { [$0.bits, $1.bits] }
    XCTAssertEqual(pairs, [[1, 2]])
  }
}
