import Foundation
import XCTest

/// A program whose main function is asynchronous: its main queue leaves the first thread.
final class MainActorTests: XCTestCase {
  func testAProgram() throws {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let program = Process()
    program.executableURL = folder.appendingPathComponent("main_actor")
    let output = Pipe()
    program.standardOutput = output
    // Of what it leaves nothing is XCTest's: with AddressSanitizer it is looked at, whatever is
    // said of this process.
    program.environment = ProcessInfo.processInfo.environment
    program.environment?["ASAN_OPTIONS"] = "detect_leaks=1"
    try program.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    program.waitUntilExit()
    let lines = text.split(separator: "\n")
    XCTAssertEqual(program.terminationStatus, 0)
    XCTAssertEqual(lines.count, 23, text)
    XCTAssertTrue(lines.allSatisfy { $0.hasSuffix("yes") }, text)
  }
}
