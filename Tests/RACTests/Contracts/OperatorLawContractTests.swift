import CRAC
import XCTest

/// What laws 1, 7, 17, 18 and 19 ask of every operator.
final class OperatorLawContractTests: LibraryTestCase {
  private typealias Build = (OpaquePointer?) -> OpaquePointer?

  /// Operators that pass values through when nothing speaks against it.
  private var passing: [(String, Build)] {
    [
      ("map", { self.map($0) { rac_value_retain($0) } }),
      (
        "filter",
        {
          rac_signal_filter(
            $0, nil,
            { _, _, out in
              out?.pointee = true
              return 0
            }, nil)
        }
      ),
      ("take", { rac_signal_take($0, 100) }),
      ("skip", { rac_signal_skip($0, 0) }),
      ("distinct_until_changed", { rac_signal_distinct_until_changed($0) }),
      ("flatten_map", { self.flattenMap($0) { rac_signal_return($0) } }),
      ("take_until", { rac_signal_take_until($0, self.own(rac_signal_never())) }),
      ("merge", { rac_signal_merge_with($0, self.own(rac_signal_empty())) }),
      ("concat", { rac_signal_concat($0, self.own(rac_signal_empty())) }),
      ("catch_to", { rac_signal_catch_to($0, self.failing(7)) }),
      ("finally", { rac_signal_finally($0, nil, { _ in }, nil) }),
      ("do_next", { rac_signal_do_next($0, nil, { _, _ in }, nil) }),
      ("autoconnect", { self.autoconnect($0) }),
    ]
  }

  private func autoconnect(_ source: OpaquePointer?) -> OpaquePointer? {
    rac_connection_autoconnect(own(rac_signal_publish(source)))
  }

  /// Law 19: nil is a value like others.
  func testNilPasses() {
    for (name, build) in passing {
      let subject = own(rac_subject_create())
      let recorder = record(own(build(subject)))
      rac_subject_send(subject, rac_value_nil())
      send(1, to: subject)
      rac_subject_send(subject, rac_value_nil())
      rac_subject_send_completed(subject)
      XCTAssertEqual(recorder.text, "nil 1 nil |", name)
    }
  }

  /// Law 1: an error is the last event, and law 8: the source is let go of.
  func testAnErrorEndsTheStream() {
    for (name, build) in passing {
      let subject = own(rac_subject_create())
      let recorder = record(own(build(subject)))
      send(1, to: subject)
      sendError(7, to: subject)
      send(2, to: subject)
      XCTAssertEqual(recorder.text, "1 x7", name)
      XCTAssertEqual(rac_subject_subscriber_count(subject), 0, name)
      XCTAssertEqual(recorder.destroyed.value, 1, name)
    }
  }

  /// Law 7: disposing from inside a callback; what was sent from there does not arrive either.
  func testDisposingFromInside() {
    for (name, build) in passing {
      let subject = own(rac_subject_create())
      let recorder = Recorder()
      recorder.onNext = { [unowned recorder] value in
        if value.bits != 2 { return }
        send(3, to: subject)
        rac_dispose(recorder.subscription)
      }
      recorder.subscribe(to: own(build(subject)))
      own(recorder.subscription)
      send(1, 2, 4, to: subject)
      rac_subject_send_completed(subject)
      XCTAssertEqual(recorder.text, "1 2", name)
      XCTAssertEqual(rac_subject_subscriber_count(subject), 0, name)
      XCTAssertEqual(recorder.destroyed.value, 1, name)
    }
  }

  /// Law 17: a failing callback ends the stream with an error, once.
  func testFailingCallbacks() {
    let operators: [(String, Build)] = [
      ("map", { rac_signal_map($0, nil, { _, _, _ in -120 }, nil) }),
      ("filter", { rac_signal_filter($0, nil, { _, _, _ in -120 }, nil) }),
      ("scan", { rac_signal_scan($0, rac_value_nil(), nil, { _, _, _, _ in -120 }, nil) }),
      ("flatten_map", { rac_signal_flatten_map($0, nil, { _, _, _ in -120 }, nil) }),
      ("bind", { rac_signal_bind($0, nil, { _, _, _, _ in -120 }, nil) }),
      ("group_by", { rac_signal_group_by($0, nil, { _, _, _ in -120 }, nil, nil) }),
    ]
    for (name, build) in operators {
      let subject = own(rac_subject_create())
      let recorder = record(own(build(subject)))
      send(1, 2, to: subject)
      XCTAssertEqual(recorder.text, "x-120", name)
      XCTAssertEqual(rac_subject_subscriber_count(subject), 0, name)
      XCTAssertEqual(recorder.destroyed.value, 1, name)
    }
    let caught = own(rac_signal_catch(failing(1), nil, { _, _, _ in -120 }, nil))
    XCTAssertEqual(record(caught).text, "x-120", "catch")
    let deferred = own(rac_signal_defer(nil, { _, _ in -120 }, nil))
    XCTAssertEqual(record(deferred).text, "x-120", "defer")
  }

  /// Law 18: a million synchronous rounds need no more stack than one.
  func testSynchronousRoundsUseConstantStack() {
    let one = values(1)
    let oneThenError = own(rac_signal_concat(one, failing(1)))
    let endless = own(rac_signal_repeat(one))
    let rounds: [(String, OpaquePointer?)] = [
      ("repeat", endless),
      ("retry", rac_signal_retry(oneThenError, 0)),
      ("flatten_map", flattenMap(endless) { rac_signal_from_values([$0], 1) }),
      ("flatten_map of returns", flattenMap(endless) { rac_signal_return($0) }),
    ]
    for (name, signal) in rounds {
      if !name.hasPrefix("flatten") { own(signal) }
      let last = own(rac_signal_skip(own(rac_signal_take(signal, 1_000_000)), 999_999))
      onSmallStack {
        rac_thread_attach()
        XCTAssertEqual(rac_signal_first(last, 60, nil), 0, name)
        rac_thread_detach()
      }
    }
  }

  /// Law 18: many signals one after the other.
  func testConcatenatingManySignalsUsesConstantStack() {
    let one = values(1)
    let all = [OpaquePointer?](repeating: one, count: 1_000_000)
    let last = own(rac_signal_skip(own(rac_signal_concat_all(all, all.count)), all.count - 1))
    onSmallStack {
      rac_thread_attach()
      XCTAssertEqual(rac_signal_first(last, 60, nil), 0)
      rac_thread_detach()
    }
  }

  /// Law 18: a chain may have 4096 stages.
  func testAChainIsLimited() {
    var chain = rac_signal_return(rac_value_int64(1))
    for _ in 1..<4096 {
      let longer = rac_signal_skip(chain, 0)
      rac_release(.init(chain))
      chain = longer
    }
    own(chain)
    XCTAssertEqual(record(chain).text, "1 |")
    XCTAssertNil(rac_signal_skip(chain, 0))
    XCTAssertEqual(rac_last_error_code(), -11, "RAC_ERANGE")
    // The first failure of a chain stays readable.
    XCTAssertNil(rac_signal_take(nil, 1))
    XCTAssertEqual(rac_last_error_code(), -11)
    rac_clear_last_error()
  }
}
