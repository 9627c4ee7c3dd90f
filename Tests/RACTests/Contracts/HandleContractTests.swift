import CRAC
import XCTest

/// Law 20: no handle crashes.
final class HandleContractTests: LibraryTestCase {
  private enum Status {
    static let ok: rac_status = 0
    static let null: rac_status = -2
    static let stale: rac_status = -3
    static let kind: rac_status = -4
  }

  /// One of each kind, by name.
  private func everyKind() -> [(name: String, handle: OpaquePointer)] {
    let subject = own(rac_subject_create())
    let scheduler = own(rac_scheduler_virtual())
    return [
      ("subject", subject),
      ("signal", own(rac_signal_never())),
      ("scheduler", scheduler),
      ("connection", own(rac_signal_publish(subject))),
      ("compound", own(rac_compound_disposable_create())),
      ("serial", own(rac_serial_disposable_create())),
      ("subscription", own(rac_subscribe_next(subject, nil, nil, nil))),
    ]
  }

  /// What functions say of every kind of handle: the kinds they accept, and `RAC_EKIND` to the others.
  func testWrongKinds() {
    let calls: [(String, accepts: Set<String>, (OpaquePointer?) -> rac_status)] = [
      ("subject_send", ["subject"], { rac_subject_send($0, rac_value_int64(1)) }),
      ("subject_send_completed", ["subject"], { rac_subject_send_completed($0) }),
      ("subscriber_send", ["subject"], { rac_subscriber_send($0, rac_value_int64(1)) }),
      ("dispose", ["compound", "serial", "subscription"], { rac_dispose($0) }),
      ("compound_add", ["compound"], { rac_compound_disposable_add($0, nil) }),
      ("serial_set", ["serial"], { rac_serial_disposable_set($0, nil) }),
      ("virtual_step", ["scheduler"], { rac_virtual_step($0) }),
      ("set_name", ["subject", "signal"], { rac_signal_set_name($0, "name") }),
      ("signal_map", ["subject", "signal"], { self.made(rac_signal_map_replace($0, .init())) }),
      ("signal_publish", ["subject", "signal"], { self.made(rac_signal_publish($0)) }),
      ("connect", ["connection"], { self.made(rac_connection_connect($0)) }),
      ("subscribe", ["subject", "signal"], { self.made(rac_subscribe_next($0, nil, nil, nil)) }),
    ]
    for (name, accepts, call) in calls {
      for (kind, handle) in everyKind() {
        rac_clear_last_error()
        let expected = accepts.contains(kind) ? Status.ok : Status.kind
        XCTAssertEqual(call(handle), expected, "\(name) of a \(kind)")
        XCTAssertEqual(rac_last_error_code(), expected, "\(name) of a \(kind)")
      }
      for (kind, handle, expected) in useless() {
        rac_clear_last_error()
        let status = call(handle)
        // Disposing nothing is fine.
        XCTAssertEqual(
          status, name == "dispose" && handle == nil ? Status.ok : expected, "\(name), \(kind)")
        XCTAssertEqual(status, rac_last_error_code(), "\(name), \(kind)")
        if status < 0 { XCTAssertGreaterThan(strlen(rac_last_error_message()), 0) }
      }
    }
    rac_clear_last_error()
  }

  /// NULL, a handle that was released, and numbers that never were one.
  private func useless() -> [(String, OpaquePointer?, rac_status)] {
    let released = rac_subject_create()!
    rac_release(.init(released))
    var generator = SeededGenerator(seed: 4)
    let random = (0..<20).map { _ in
      ("random", OpaquePointer(bitPattern: UInt(generator.next())), Status.stale)
    }
    return [("NULL", nil, Status.null), ("released", released, Status.stale)] + random
  }

  /// The status of a call that makes a handle.
  private func made(_ handle: OpaquePointer?) -> rac_status {
    guard let handle else { return rac_last_error_code() }
    return rac_release(.init(handle))
  }

  func testADoubleReleaseIsRefused() {
    for make in [rac_subject_create, rac_signal_never, rac_scheduler_virtual] {
      let handle = make()!
      XCTAssertEqual(rac_retain(.init(handle)), .init(handle))
      XCTAssertEqual(rac_release(.init(handle)), Status.ok)
      XCTAssertEqual(rac_release(.init(handle)), Status.ok)
      XCTAssertEqual(rac_release(.init(handle)), Status.stale)
      XCTAssertNil(rac_retain(.init(handle)))
    }
    XCTAssertEqual(rac_release(nil), Status.ok)
    XCTAssertNil(rac_retain(nil))
    rac_clear_last_error()
  }

  func testReleasingASubjectFromItsOwnCallback() {
    let subject = rac_subject_create()!
    let recorder = record(
      subject,
      onNext: { _ in
        XCTAssertEqual(rac_release(.init(subject)), Status.ok)
        XCTAssertEqual(send(2, to: subject), Status.stale)
      })
    XCTAssertEqual(send(1, to: subject), Status.ok)
    XCTAssertEqual(recorder.text, "1")
    XCTAssertEqual(recorder.destroyed.value, 1)
  }

  func testReleasingASubjectWhileOthersSend() {
    for _ in 0..<200 {
      let subject = rac_subject_create()!
      let recorder = record(subject)
      let accepted = Guarded(0)
      inParallel(3) { thread in
        if thread == 0 {
          while recorder.count < 3 { sched_yield() }
          XCTAssertEqual(rac_release(.init(subject)), Status.ok)
          return
        }
        while true {
          let status = send(1, to: subject)
          if status < 0 { return XCTAssertEqual(status, Status.stale) }
          accepted.with { $0 += 1 }
        }
      }
      XCTAssertTrue(eventually { recorder.destroyed.value == 1 })
      XCTAssertEqual(recorder.overlaps.value, 0)
      XCTAssertEqual(recorder.count, accepted.value, "what was accepted is delivered")
    }
  }
}
