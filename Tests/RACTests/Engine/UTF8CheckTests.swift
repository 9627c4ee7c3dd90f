import XCTest

@testable import RAC

final class UTF8CheckTests: LibraryTestCase {
  func testWellFormed() {
    let cases: [(String, [UInt8])] = [
      ("nothing", []),
      ("ASCII", [0x41, 0x7F]),
      ("NUL", [0x00, 0x41]),
      ("first of two bytes, U+0080", [0xC2, 0x80]),
      ("last of two bytes, U+07FF", [0xDF, 0xBF]),
      ("first of three bytes, U+0800", [0xE0, 0xA0, 0x80]),
      ("before the surrogates, U+D7FF", [0xED, 0x9F, 0xBF]),
      ("after the surrogates, U+E000", [0xEE, 0x80, 0x80]),
      ("last of three bytes, U+FFFF", [0xEF, 0xBF, 0xBF]),
      ("first of four bytes, U+10000", [0xF0, 0x90, 0x80, 0x80]),
      ("the last there is, U+10FFFF", [0xF4, 0x8F, 0xBF, 0xBF]),
      ("mixed", Array("aé€😀z".utf8)),
    ]
    for (name, bytes) in cases { XCTAssertTrue(isValid(bytes), name) }
  }

  func testMalformed() {
    let cases: [(String, [UInt8])] = [
      ("lone continuation", [0x80]),
      ("continuation after ASCII", [0x41, 0xBF]),
      ("overlong NUL", [0xC0, 0x80]),
      ("overlong slash", [0xC1, 0xAF]),
      ("overlong, three bytes", [0xE0, 0x9F, 0xBF]),
      ("overlong, four bytes", [0xF0, 0x8F, 0xBF, 0xBF]),
      ("first surrogate, U+D800", [0xED, 0xA0, 0x80]),
      ("last surrogate, U+DFFF", [0xED, 0xBF, 0xBF]),
      ("a surrogate pair", [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]),
      ("U+110000", [0xF4, 0x90, 0x80, 0x80]),
      ("lead of five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80]),
      ("never a byte", [0xFE]),
      ("never a byte either", [0xFF, 0x41]),
      ("cut off after one of two", [0xC3]),
      ("cut off after one of three", [0xE2]),
      ("cut off after two of three", [0xE2, 0x82]),
      ("cut off after three of four", [0xF0, 0x9F, 0x98]),
      ("ASCII in place of the second", [0xC3, 0x41]),
      ("ASCII in place of the third", [0xE2, 0x82, 0x41]),
      ("ASCII in place of the fourth", [0xF0, 0x9F, 0x98, 0x41]),
    ]
    for (name, bytes) in cases {
      XCTAssertFalse(isValid(bytes), name)
      XCTAssertFalse(isValid(Array("ok".utf8) + bytes), name)
    }
  }

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
