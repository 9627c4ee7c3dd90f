import Reactive
import ReactiveTesting
import XCTest

/// Tests in marble diagrams: each has a clock of its own, and sources whose values are letters or
/// numbers.
class OperatorCase: FaceTestCase {
  private var made: Marbles?

  /// One for each test, made when it is first used.
  var marbles: Marbles {
    if let made { return made }
    let marbles = Marbles()
    made = marbles
    return marbles
  }

  override func tearDown() {
    made = nil
    super.tearDown()
  }

  func letters(_ diagram: String) throws -> Signal<String> { try marbles.cold(diagram) }

  /// Digits stand for themselves.
  func numbers(_ diagram: String) throws -> Signal<Int> {
    try marbles.cold(
      diagram, Dictionary(uniqueKeysWithValues: (0...9).map { (Character("\($0)"), $0) }))
  }

  /// Reports where the test says it.
  func expect<Source: SignalProtocol>(
    _ source: Source, _ diagram: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    do {
      try marbles.expect(source, diagram)
    } catch {
      XCTFail("\(error)", file: file, line: line)
    }
  }
}
