import XCTest

@testable import RAC

final class UTF8CheckTests: LibraryTestCase {
  /// Every sequence of two bytes, and of three that begin with a lead.
  func testShortSequencesAgainstTheStandardLibrary() {
    for first in UInt8(0x7F)...0xFF {
      for second in UInt8.min...UInt8.max {
        compare([first, second])
        for third: UInt8 in [0x00, 0x7F, 0x80, 0x9F, 0xA0, 0xBF, 0xC0] {
          compare([first, second, third])
        }
      }
    }
  }

  func testRandomBytesAgainstTheStandardLibrary() {
    var generator = SeededGenerator(seed: 8)
    // Bytes at the borders of the rules come up often, so that many sequences are nearly right.
    let borders: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xEC, 0xED,
      0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5,
    ]
    var valid = 0
    for round in 0..<100_000 {
      let length = Int.random(in: 1...(round % 2 == 0 ? 4 : 9), using: &generator)
      let bytes = (0..<length).map { _ in
        round % 4 == 0
          ? UInt8.random(in: 0...255, using: &generator)
          : borders.randomElement(using: &generator)!
      }
      if compare(bytes) { valid += 1 }
    }
    XCTAssertGreaterThan(valid, 1000, "both answers are tried")
  }

  @discardableResult
  private func compare(_ bytes: [UInt8]) -> Bool {
    let expected = String(validating: bytes, as: UTF8.self) != nil
    if isValid(bytes) != expected { XCTFail("\(bytes): expected \(expected)") }
    return expected
  }

  private func isValid(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes(UTF8Check.isValid) }
}
