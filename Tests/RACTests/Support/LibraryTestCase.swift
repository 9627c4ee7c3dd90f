import CRAC
import XCTest

/// Every test leaves nothing behind: what it owned is released, and then the library is to keep no more
/// alive than before, and to have destroyed every context it was given.
class LibraryTestCase: XCTestCase {
  private var liveBefore: UInt64 = 0
  private var contextsBefore = 0
  private var owned: [OpaquePointer] = []

  override func setUp() {
    super.setUp()
    liveBefore = rac_live_objects()
    contextsBefore = Contexts.outstanding
  }

  override func tearDown() {
    while let handle = owned.popLast() { rac_release(.init(handle)) }
    // A worker may still be letting go of its last job.
    let isBack = eventually {
      rac_live_objects() == self.liveBefore && Contexts.outstanding == self.contextsBefore
    }
    if !isBack {
      XCTAssertEqual(rac_live_objects(), liveBefore, "the library keeps objects alive")
      XCTAssertEqual(Contexts.outstanding, contextsBefore, "contexts that were not destroyed")
    }
    super.tearDown()
  }

  /// Releases the handle when the test is over.
  @discardableResult
  func own(
    _ handle: OpaquePointer?, file: StaticString = #filePath, line: UInt = #line
  ) -> OpaquePointer {
    guard let handle else {
      XCTFail(String(cString: rac_last_error_message()), file: file, line: line)
      return OpaquePointer(bitPattern: 1)!
    }
    owned.append(handle)
    return handle
  }

  /// Releases an owned handle before the test is over.
  func drop(_ handle: OpaquePointer, file: StaticString = #filePath, line: UInt = #line) {
    guard let place = owned.lastIndex(of: handle) else {
      return XCTFail("not an owned handle", file: file, line: line)
    }
    owned.remove(at: place)
    XCTAssertEqual(rac_release(.init(handle)), 0, file: file, line: line)
  }

  /// Whether the condition comes true within two seconds.
  func eventually(_ condition: () -> Bool) -> Bool {
    let deadline = Date() + 2
    while !condition() {
      if Date() > deadline { return false }
      usleep(500)
    }
    return true
  }
}
