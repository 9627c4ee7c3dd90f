import CRAC
import XCTest

/// Every test leaves nothing behind: when it is over, the library is to keep no more alive than
/// before.
class LibraryTestCase: XCTestCase {
  private var liveBefore: UInt64 = 0

  override func setUp() {
    super.setUp()
    liveBefore = rac_live_objects()
  }

  override func tearDown() {
    // A worker may still be letting go of its last job.
    if !eventually({ rac_live_objects() == self.liveBefore }) {
      XCTAssertEqual(rac_live_objects(), liveBefore, "the library keeps objects alive")
    }
    super.tearDown()
  }

  /// Whether the condition comes true within a time that nothing takes, however slow it is.
  func eventually(_ condition: () -> Bool) -> Bool {
    let deadline = Date() + 30
    while !condition() {
      if Date() > deadline { return false }
      usleep(500)
    }
    return true
  }
}
