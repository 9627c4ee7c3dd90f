import RAC
import XCTest

/// The C names as Swift sees them with `import RAC` alone: handles are opaque pointers, closures
/// without a capture are callbacks, statuses are numbers. What the functions do is tested in C.
final class ImportTests: XCTestCase {
  private var before: UInt64 = 0

  override func setUp() { before = rac_live_objects() }
  override func tearDown() { XCTAssertEqual(rac_live_objects(), before) }

  func testFunctions() {
    var heard: [Int64] = []
    withUnsafeMutablePointer(to: &heard) { heard in
      let subject = rac_subject_create()
      let doubled = rac_signal_map(
        rac_subject_as_signal(subject), nil,
        { _, value, out in
          out?.pointee = rac_value_int64(value.bits * 2)
          return RAC_OK
        }, nil)
      let subscription = rac_subscribe_next(
        doubled, heard,
        { context, value in
          context?.assumingMemoryBound(to: [Int64].self).pointee.append(value.bits)
        }, nil)
      XCTAssertGreaterThan(rac_live_objects(), before)
      XCTAssertEqual(rac_subject_send(subject, rac_value_int64(21)), RAC_OK)
      XCTAssertEqual(rac_dispose(subscription), RAC_OK)
      XCTAssertTrue(rac_is_disposed(subscription))
      XCTAssertEqual(rac_subject_send(subject, rac_value_int64(22)), RAC_OK)
      XCTAssertEqual(heard.pointee, [42])
      for handle in [subscription, doubled, subject] { rac_release(.init(handle)) }
      XCTAssertEqual(rac_subject_send(subject, rac_value_int64(23)), RAC_ESTALE)
      XCTAssertEqual(rac_last_error_code(), RAC_ESTALE)
      XCTAssertEqual(rac_last_error_function().map { String(cString: $0) }, "rac_subject_send")
      rac_clear_last_error()
    }
  }

  private final class Listener {
    var heard: [String] = []
  }

  /// A structure of callbacks, and an object as their context, which destroy releases.
  func testAnObserver() {
    var heard: [String] = []
    weak var context: Listener?
    do {
      let listener = Listener()
      context = listener
      var observer = rac_observer()
      observer.size = MemoryLayout<rac_observer>.size
      observer.context = Unmanaged.passRetained(listener).toOpaque()
      observer.next = { context, value in
        Unmanaged<Listener>.fromOpaque(context!).takeUnretainedValue().heard.append("\(value.bits)")
      }
      observer.error = { context, error in
        Unmanaged<Listener>.fromOpaque(context!).takeUnretainedValue().heard.append(
          "#\(rac_error_get_code(error))")
      }
      observer.destroy = { Unmanaged<AnyObject>.fromOpaque($0!).release() }
      let subject = rac_subject_create()
      rac_release(.init(rac_subscribe(rac_subject_as_signal(subject), &observer)))
      rac_subject_send(subject, rac_value_int64(1))
      let error = rac_value_error("test", 7, "made by a test")
      rac_subject_send_error(subject, error)
      rac_value_release(error)
      heard = listener.heard
      rac_release(.init(subject))
    }
    XCTAssertEqual(heard, ["1", "#7"])
    XCTAssertNil(context)
  }
}
