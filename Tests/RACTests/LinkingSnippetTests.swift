import RAC
import XCTest

/// The Swift snippet of docs/Linking.md, run. Tests/docs/test_readme.py sees to it that the two are
/// the same.
final class LinkingSnippetTests: XCTestCase {
  func testSnippet() throws {
    let before = rac_live_objects()
    let output = try printed {
      // Linking.md
      let numbers = rac_subject_create()
      let squares = rac_signal_map(
        rac_subject_as_signal(numbers), nil,
        { _, value, out in
          out?.pointee = rac_value_int64(value.bits * value.bits)
          return 0
        }, nil)
      let subscription = rac_subscribe_next(squares, nil, { _, value in print(value.bits) }, nil)
      for number in 1...3 { rac_subject_send(numbers, rac_value_int64(Int64(number))) }
      rac_subject_send_completed(numbers)
      for handle in [subscription, squares, numbers] { rac_release(.init(handle)) }
      // end
    }
    XCTAssertEqual(output, "1\n4\n9\n")
    XCTAssertEqual(rac_live_objects(), before)
  }

  /// What the body prints.
  private func printed(_ body: () -> Void) throws -> String {
    let file = try XCTUnwrap(tmpfile())
    defer { fclose(file) }
    fflush(nil)
    let terminal = dup(1)
    dup2(fileno(file), 1)
    body()
    fflush(nil)
    dup2(terminal, 1)
    close(terminal)
    rewind(file)
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
