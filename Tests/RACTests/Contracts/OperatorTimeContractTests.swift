import CRAC
import XCTest

/// Operators that wait or that listen to several signals, as marbles on virtual time. Throughout: law 1,
/// the grammar, law 16, errors, and law 19, nil.
final class OperatorTimeContractTests: LibraryTestCase {
  private typealias Case = (source: String, expected: String)

  func testDelay() {
    let cases: [Case] = [
      ("1@0.1 2@0.2 |@0.3", "1@0.6 2@0.7 |@0.8"),
      ("|@0", "|@0.5"),
      ("nil@0.1", "nil@0.6"),
      // Law 16: the error overtakes what waits.
      ("1@0.1 2@0.2 x7@0.65", "1@0.6 x7@0.65"),
      ("1@0.1 x7@0.3", "x7@0.3"),
    ]
    for (source, expected) in cases {
      XCTAssertEqual(marbles(source) { rac_signal_delay($0[0], 0.5) }, expected)
    }
  }

  func testThrottle() {
    let cases: [Case] = [
      ("1@0.1 2@0.2 3@1 |@2", "2@0.7 3@1.5 |@2"),
      ("1@0.1 |@0.2", "1@0.2 |@0.2"),
      ("nil@0.1", "nil@0.6"),
      ("1@0.1 2@0.7", "1@0.6 2@1.2"),
      // Law 16.
      ("1@0.1 x7@0.3", "x7@0.3"),
    ]
    for (source, expected) in cases {
      XCTAssertEqual(marbles(source) { rac_signal_throttle($0[0], 0.5) }, expected)
    }
  }

  func testInterval() {
    let clock = own(rac_scheduler_virtual())
    let recorder = record(own(rac_signal_interval(clock, 0.5)), clock: clock)
    rac_virtual_advance_to(clock, 1.75)
    XCTAssertEqual(recorder.text, "0@0.5 1@1 2@1.5")
    rac_dispose(recorder.subscription)
    rac_virtual_advance_to(clock, 5)
    XCTAssertEqual(recorder.events.count, 3)
  }

  func testDeliverOnAndSubscribeOn() {
    let clock = own(rac_scheduler_virtual())
    let delivered = record(own(rac_signal_deliver_on(values(1, 2), clock)), clock: clock)
    let subscribed = record(own(rac_signal_subscribe_on(values(3), clock)), clock: clock)
    XCTAssertEqual([delivered.text, subscribed.text], ["", ""])
    rac_virtual_step_all(clock)
    XCTAssertEqual([delivered.text, subscribed.text], ["1@0 2@0 |@0", "3@0 |@0"])
  }

  func testTakeUntil() {
    let cases = [
      ("1@1 2@3 |@5", "9@2", "1@1 |@2"),
      ("1@1 2@3 |@5", "|@2", "1@1 |@2"),
      ("1@1 2@3 |@5", "nil@2", "1@1 |@2"),
      ("1@1 2@3 |@5", "x@2", "1@1 2@3 |@5"),
      ("1@1 x7@3", "9@4", "1@1 x7@3"),
    ]
    for (source, trigger, expected) in cases {
      XCTAssertEqual(marbles(source, trigger) { rac_signal_take_until($0[0], $0[1]) }, expected)
    }
  }

  func testMerge() {
    let cases = [
      ("1@1 2@4 |@5", "7@2 8@3 |@6", "1@1 7@2 8@3 2@4 |@6"),
      ("|@1", "|@2", "|@2"),
      ("1@1 x7@2", "8@3 |@4", "1@1 x7@2"),
      ("nil@1 |@2", "", "nil@1"),
    ]
    for (one, other, expected) in cases {
      let merged = marbles(one, other) { rac_signal_merge_with($0[0], $0[1]) }
      XCTAssertEqual(merged, expected)
      let flat = marbles(one, other) { rac_signal_merge($0.map { Optional($0) }, 2) }
      XCTAssertEqual(flat, expected)
    }
  }

  func testZip() {
    let cases = [
      ("1@1 2@2 |@5", "7@3 8@4 9@6", "(1, 7)@3 (2, 8)@4 |@5"),
      ("1@1 |@2", "7@3 8@4", "(1, 7)@3 |@3"),
      ("nil@1", "nil@2 |@3", "(nil, nil)@2 |@3"),
      ("1@1 2@2", "|@3", "|@3"),
      // Law 16: what waits for its partner is dropped.
      ("1@1 2@2", "x7@3", "x7@3"),
    ]
    for (one, other, expected) in cases {
      XCTAssertEqual(marbles(one, other) { rac_signal_zip_with($0[0], $0[1]) }, expected)
      XCTAssertEqual(
        marbles(one, other) { rac_signal_zip($0.map { Optional($0) }, 2) }, expected)
    }
  }

  func testCombineLatest() {
    let cases = [
      ("1@1 2@3 |@6", "7@2 8@4 |@5", "(1, 7)@2 (2, 7)@3 (2, 8)@4 |@6"),
      ("1@1 |@2", "7@3 8@4 |@5", "(1, 7)@3 (1, 8)@4 |@5"),
      ("nil@1", "nil@2", "(nil, nil)@2"),
      ("|@1", "7@2 |@3", "|@3"),
      ("1@1 x7@3", "7@2 8@4", "(1, 7)@2 x7@3"),
    ]
    for (one, other, expected) in cases {
      XCTAssertEqual(
        marbles(one, other) { rac_signal_combine_latest_with($0[0], $0[1]) }, expected)
    }
  }

  func testSwitchToLatest() {
    let inner = ["a": "1@2 2@4 3@6 |@8", "b": "7@3 8@5 9@7 |@9"]
    let cases: [Case] = [
      ("a@1 b@4.5 |@10", "1@2 2@4 8@5 9@7 |@10"),
      ("a@1 b@4.5 |@5", "1@2 2@4 8@5 9@7 |@9"),
      ("a@1 nil@3 |@10", "1@2 |@10"),
      ("a@1 x7@3", "1@2 x7@3"),
      // The same signal again is a new subscription.
      ("a@1 a@3 |@5", "1@2 2@4 3@6 |@8"),
    ]
    for (source, expected) in cases {
      let text = marbles(source, inner: inner) { rac_signal_switch_to_latest($0[0]) }
      XCTAssertEqual(text, expected)
    }
  }

  /// Law 8: the one before is let go of as soon as another takes its place.
  func testSwitchingDisposesTheOneBefore() {
    let (outer, inner) = (own(rac_subject_create()), own(rac_subject_create()))
    let recorder = record(own(rac_signal_switch_to_latest(outer)))
    let value = rac_value_signal(inner)
    rac_subject_send(outer, value)
    rac_value_release(value)
    XCTAssertEqual(rac_subject_subscriber_count(inner), 1)
    rac_subject_send(outer, rac_value_nil())
    XCTAssertEqual(rac_subject_subscriber_count(inner), 0)
    rac_subject_send_completed(outer)
    XCTAssertEqual(recorder.text, "|")
  }

  func testFlatten() {
    let inner = ["a": "1@2 2@4 |@6", "b": "7@3 8@7 |@8", "c": "x5@5"]
    let cases: [(Int, String, String)] = [
      (0, "a@1 b@1 |@2", "1@2 7@3 2@4 8@7 |@8"),
      (0, "a@1 c@1 |@2", "1@2 2@4 x5@5"),
      (0, "nil@1 |@2", "|@2"),
      (2, "a@1 b@1 |@2", "1@2 7@3 2@4 8@7 |@8"),
      // One at a time: b is hot, and what it sends while it waits is not heard.
      (1, "a@1 b@1 |@2", "1@2 2@4 8@7 |@8"),
      (1, "a@1 c@1 |@2", "1@2 2@4"),
    ]
    for (limit, source, expected) in cases {
      let text = marbles(source, inner: inner) { rac_signal_flatten($0[0], limit) }
      XCTAssertEqual(text, expected, "\(source), \(limit) at a time")
    }
  }

  func testConcatAndCatch() {
    let cases = [
      ("1@1 |@2", "7@1 8@3 |@4", "1@1 8@3 |@4", "1@1 |@2"),
      ("1@1 x7@2", "7@1 8@3 |@4", "1@1 x7@2", "1@1 8@3 |@4"),
      ("", "8@3 |@4", "", ""),
      ("|@1", "x5@2", "x5@2", "|@1"),
    ]
    for (one, other, concatenated, caught) in cases {
      XCTAssertEqual(marbles(one, other) { rac_signal_concat($0[0], $0[1]) }, concatenated)
      XCTAssertEqual(marbles(one, other) { rac_signal_catch_to($0[0], $0[1]) }, caught)
    }
  }

  func testCollectDropsWhatItHoldsOnAnError() {
    XCTAssertEqual(marbles("1@1 nil@2 |@3") { rac_signal_collect($0[0]) }, "(1, nil)@3 |@3")
    XCTAssertEqual(marbles("1@1 2@2 x7@3") { rac_signal_collect($0[0]) }, "x7@3")
  }

  /// Signals of one value that wait for their turn all get it.
  func testFlattenGivesEveryWaitingSignalItsTurn() {
    let (outer, first) = (own(rac_subject_create()), own(rac_subject_create()))
    let recorder = record(own(rac_signal_flatten(outer, 1)))
    for signal in [first] + (1...3).map({ own(rac_signal_return(rac_value_int64($0))) }) {
      let value = rac_value_signal(signal)
      rac_subject_send(outer, value)
      rac_value_release(value)
    }
    rac_subject_send_completed(outer)
    XCTAssertEqual(recorder.text, "")
    rac_subject_send_completed(first)
    XCTAssertEqual(recorder.text, "1 2 3 |")
  }

  /// Law 7: disposing cancels what waits, and law 21: what was held is released.
  func testDisposalDropsWhatWaits() {
    let never = own(rac_signal_never())
    let operators: [(String, (OpaquePointer?) -> OpaquePointer?)] = [
      ("delay", { rac_signal_delay($0, 1) }),
      ("throttle", { rac_signal_throttle($0, 1) }),
      ("collect", { rac_signal_collect($0) }),
      ("zip", { rac_signal_zip_with($0, never) }),
      ("combine_latest", { rac_signal_combine_latest_with($0, never) }),
    ]
    for (name, make) in operators {
      let clock = own(rac_scheduler_virtual())
      let subject = own(rac_subject_create())
      let recorder = record(own(make(subject)), clock: clock)
      let released = Guarded(false)
      at(1, on: clock) {
        let value = rac_value_pointer_owned(
          Contexts.give(released), nil,
          { context in
            Contexts.body(context, as: Guarded<Bool>.self).with { $0 = true }
            Contexts.destroy(context)
          })
        rac_subject_send(subject, value)
        rac_value_release(value)
      }
      rac_virtual_advance_to(clock, 1.5)
      XCTAssertFalse(released.value, name)
      rac_dispose(recorder.subscription)
      XCTAssertTrue(released.value, name)
      XCTAssertEqual(recorder.destroyed.value, 1, name)
      rac_virtual_advance_to(clock, 9)
      XCTAssertEqual(recorder.text, "", name)
    }
  }
}
