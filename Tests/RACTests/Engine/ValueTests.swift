import XCTest

@testable import RAC

final class ValueTests: LibraryTestCase {
  func testAValueIsSixteenBytesAndNilIsZero() {
    XCTAssertEqual(MemoryLayout<Value>.size, 16)
    XCTAssertTrue(withUnsafeBytes(of: Value.null) { $0.allSatisfy { $0 == 0 } })
    XCTAssertTrue(Value.null.isNull)
  }

  func testEventsHaveTheNumbersOfTheHeader() {
    XCTAssertEqual(EventType.next.rawValue, RAC_EVENT_NEXT)
    XCTAssertEqual(EventType.error.rawValue, RAC_EVENT_ERROR)
    XCTAssertEqual(EventType.completed.rawValue, RAC_EVENT_COMPLETED)
  }

  func testScalarsNeedNoRelease() {
    let scalars: [Value] = [.null, .bool(true), .int64(.min), .double(.nan), .string("text")]
    let before = rac_live_objects()
    for value in scalars {
      XCTAssertFalse(value.isCounted)
      value.retained().release()
      value.release()
      value.release()
    }
    XCTAssertEqual(rac_live_objects(), before)
  }

  func testABoxGoesWithItsLastReference() {
    var destroyed: Int32 = 0
    withUnsafeMutablePointer(to: &destroyed) { count in
      let value = Value.ownedPointer(count, type: 0) {
        $0!.assumingMemoryBound(to: Int32.self).pointee += 1
      }!
      let again = value.retained()
      value.release()
      XCTAssertEqual(count.pointee, 0)
      again.release()
      XCTAssertEqual(count.pointee, 1)
    }
  }

  func testKeepingAViewCopiesIt() {
    var bytes = Array("before".utf8)
    let kept = bytes.withUnsafeBytes { raw -> Value in
      let view = Value(
        Value.Kind.string, flags: Value.Flag.view, length: UInt32(raw.count),
        pointer: raw.baseAddress)
      view.release()
      return view.retained()
    }
    bytes[0] = UInt8(ascii: "X")
    XCTAssertTrue(kept.isCounted)
    XCTAssertEqual(text(kept), "before")
    XCTAssertEqual(
      kept.bytes.baseAddress!.load(fromByteOffset: 6, as: UInt8.self), 0, "a NUL follows")
    kept.release()
  }

  func testEqualityAndHashes() {
    let error = Value.error("a", -1, "m")
    let sameError = Value.error("a", -1, "m")
    let otherError = Value.error("b", -1, "m")
    let copy = "text".utf8CString.withUnsafeBytes {
      Value.copying(Value.Kind.string, UnsafeRawBufferPointer(rebasing: $0[..<4]))!
    }
    let pair = Value.pair(.int64(1), copy)
    let samePair = Value.pair(.int64(1), .string("text"))
    let otherPair = Value.pair(copy, .int64(1))
    let groups: [[Value]] = [
      [.null, .null],
      [.bool(false), .int64(0), .double(0), .double(-0.0)],
      [.bool(true), .int64(1), .double(1)],
      [.double(.nan), .double(-.nan), .double(.signalingNaN)],
      [.string("text"), copy],
      [.string("tex")],
      [pair, samePair],
      [otherPair],
      [error, sameError],
      [otherError],
    ]
    for (place, group) in groups.enumerated() {
      for value in group {
        for (otherPlace, otherGroup) in groups.enumerated() {
          for other in otherGroup {
            XCTAssertEqual(
              value.isEqual(other), place == otherPlace, "\(place) and \(otherPlace)")
            if place == otherPlace { XCTAssertEqual(value.hash, other.hash, "\(place)") }
          }
        }
      }
    }
    for value in [error, sameError, otherError, copy, pair, samePair, otherPair] { value.release() }
  }

  func testATupleHoldsItsElements() {
    let inner = Value.error("domain", 7, "message")
    let before = rac_live_objects()
    let tuple = Value.pair(inner, .null)
    inner.release()
    XCTAssertEqual(rac_live_objects(), before + 1)
    XCTAssertEqual(tuple.elements.count, 2)
    XCTAssertEqual(tuple.elements[0].asError?.code, 7)
    XCTAssertTrue(tuple.elements[1].isNull)
    tuple.release()
    XCTAssertEqual(rac_live_objects(), before - 1)
  }

  func testDeepTuplesAreReleasedInALoop() {
    onSmallStack {
      var value = Value.int64(1)
      for level in 0..<200_000 {
        // Alternating with errors, whose underlying value nests as well.
        let outer =
          level % 3 == 0
          ? Value.error(domain: "d", code: 1, message: "m", underlying: value)!
          : Value.pair(value, .int64(2))
        value.release()
        value = outer
      }
      value.release()
    }
  }

  func testComparingAndDescribingDeepTuplesTakesABoundedStack() {
    inParallel(1, stackSize: 2 << 20) { _ in
      var (one, other) = (Value.int64(1), Value.int64(1))
      for _ in 0..<100_000 {
        let (outer, otherOuter) = (Value.pair(one, .null), Value.pair(other, .null))
        one.release()
        other.release()
        (one, other) = (outer, otherOuter)
      }
      XCTAssertFalse(one.isEqual(other), "too deep to compare counts as different")
      XCTAssertEqual(one.hash, other.hash)
      var buffer = TextBuffer()
      one.describe(to: &buffer)
      XCTAssertTrue(String(decoding: buffer.bytes, as: UTF8.self).hasPrefix("((("))
      one.release()
      other.release()
    }
  }

  private func text(_ value: Value) -> String { String(decoding: value.bytes, as: UTF8.self) }
}
