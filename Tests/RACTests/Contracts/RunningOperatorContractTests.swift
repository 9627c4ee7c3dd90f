import CRAC
import XCTest

/// Operators that keep something from value to value, decide by a test, or take tuples apart.
final class RunningOperatorContractTests: LibraryTestCase {
  private typealias Build = (OpaquePointer?) -> OpaquePointer?

  private func check(_ cases: [(String, Build, [Int64], String)]) {
    for (name, build, numbers, expected) in cases {
      let source = own(
        rac_signal_from_values(numbers.map { rac_value_int64($0) }, numbers.count))
      XCTAssertEqual(record(own(build(source))).text, expected, name)
    }
  }

  private func sum() -> UnsafeMutableRawPointer {
    let sum: Callback.Reduce = { rac_value_int64($0.bits + $1.bits) }
    return Contexts.give(sum)
  }
  private func indexedSum() -> UnsafeMutableRawPointer {
    let sum: Callback.IndexedReduce = { rac_value_int64($0.bits + $1.bits + Int64($2)) }
    return Contexts.give(sum)
  }
  private func below(_ limit: Int64) -> UnsafeMutableRawPointer {
    let test: Callback.Test = { $0.bits < limit }
    return Contexts.give(test)
  }
  private func sumOfAll() -> UnsafeMutableRawPointer {
    let sum: Callback.ReduceEach = { rac_value_int64($0.reduce(0) { $0 + $1.bits }) }
    return Contexts.give(sum)
  }
  private let zero = rac_value_int64(0)

  func testRunningResults() {
    check([
      (
        "scan_with_index",
        {
          rac_signal_scan_with_index(
            $0, self.zero, self.indexedSum(), Callback.indexedReduce, Contexts.destroy)
        }, [1, 2, 3], "1 4 9 |"
      ),
      (
        "aggregate",
        {
          rac_signal_aggregate($0, self.zero, self.sum(), Callback.reduce, Contexts.destroy)
        }, [1, 2, 3], "6 |"
      ),
      (
        "aggregate of nothing",
        {
          rac_signal_aggregate($0, self.zero, self.sum(), Callback.reduce, Contexts.destroy)
        }, [], "0 |"
      ),
      (
        "aggregate_with_index",
        {
          rac_signal_aggregate_with_index(
            $0, self.zero, self.indexedSum(), Callback.indexedReduce, Contexts.destroy)
        }, [1, 2, 3], "9 |"
      ),
      (
        "combine_previous",
        {
          rac_signal_combine_previous(
            $0, self.zero, self.sum(), Callback.reduce, Contexts.destroy)
        }, [1, 2, 4], "1 3 6 |"
      ),
      ("take_last", { rac_signal_take_last($0, 2) }, [1, 2, 3], "2 3 |"),
      ("take_last of fewer", { rac_signal_take_last($0, 2) }, [1], "1 |"),
      ("ignore", { rac_signal_ignore($0, rac_value_int64(1)) }, [1, 2, 1], "2 |"),
    ])
  }

  /// The start of an aggregate is made for each subscription.
  func testFactoriesRunForEachSubscription() {
    var made: Int64 = 0
    let start: Callback.Factory = {
      made += 1
      return rac_value_int64(made * 100)
    }
    let total = own(
      rac_signal_aggregate_with_factory(
        values(1, 2), Contexts.give(start), Callback.factory,
        { _, running, next, out in
          out?.pointee = rac_value_int64(running.bits + next.bits)
          return 0
        }, Contexts.destroy))
    XCTAssertEqual(record(total).text, "103 |")
    XCTAssertEqual(record(total).text, "203 |")
    let made2 = own(
      rac_signal_from_factory(Contexts.give(start), Callback.factory, Contexts.destroy))
    XCTAssertEqual(record(made2).text, "300 |")
    XCTAssertEqual(record(made2).text, "400 |")
  }

  func testPredicates() {
    typealias Make = (
      OpaquePointer?, UnsafeMutableRawPointer?, rac_predicate_fn?, rac_destroy_fn?
    ) -> OpaquePointer?
    let cases: [(String, Make, String)] = [
      ("take_while_block", { rac_signal_take_while_block($0, $1, $2, $3) }, "1 2 |"),
      ("take_until_block", { rac_signal_take_until_block($0, $1, $2, $3) }, "|"),
      ("skip_while_block", { rac_signal_skip_while_block($0, $1, $2, $3) }, "3 1 |"),
      ("skip_until_block", { rac_signal_skip_until_block($0, $1, $2, $3) }, "1 2 3 1 |"),
      ("any", { rac_signal_any($0, $1, $2, $3) }, "true |"),
      ("all", { rac_signal_all($0, $1, $2, $3) }, "false |"),
    ]
    for (name, make, expected) in cases {
      let signal = own(make(values(1, 2, 3, 1), below(3), Callback.test, Contexts.destroy))
      XCTAssertEqual(record(signal).text, expected, name)
    }
  }

  func testTuples() {
    let (one, two) = (values(1, 2), values(10, 20))
    let pairs = own(rac_signal_zip([one, two], 2))
    let cases: [(String, OpaquePointer?, String)] = [
      (
        "reduce_each",
        rac_signal_reduce_each(pairs, sumOfAll(), Callback.reduceEach, Contexts.destroy),
        "11 22 |"
      ),
      (
        "zip_reduce",
        rac_signal_zip_reduce([one, two], 2, sumOfAll(), Callback.reduceEach, Contexts.destroy),
        "11 22 |"
      ),
      (
        "combine_latest_reduce",
        rac_signal_combine_latest_reduce(
          [one, two], 2, sumOfAll(), Callback.reduceEach, Contexts.destroy), "12 22 |"
      ),
    ]
    for (name, signal, expected) in cases {
      XCTAssertEqual(record(own(signal)).text, expected, name)
    }
  }

  func testTruth() {
    let truths = [rac_value_bool(true), rac_value_bool(false)]
    let source = own(rac_signal_from_values(truths, 2))
    XCTAssertEqual(record(own(rac_signal_not(source))).text, "false true |")
    let both = own(rac_signal_combine_latest([source, source], 2))
    XCTAssertEqual(record(own(rac_signal_and(both))).text, "false false |")
    XCTAssertEqual(record(own(rac_signal_or(both))).text, "true false |")
    let chosen = own(rac_signal_if(source, values(1), values(2)))
    XCTAssertEqual(record(chosen).text, "1 2 |")
    let keys = [rac_value_int64(1)]
    let switched = own(rac_signal_switch(values(1, 5), keys, [values(7)], 1, values(9)))
    XCTAssertEqual(record(switched).text, "7 9 |")
    let unmatched = own(rac_signal_switch(values(5), keys, [values(7)], 1, nil))
    XCTAssertEqual(record(unmatched).events.count, 1, "an error: there is no such case")
  }

  func testAttempts() {
    let refuseTwo: Callback.Attempt = { $0.bits == 2 ? -42 : 0 }
    let tried = own(
      rac_signal_try(
        values(1, 2, 3), Contexts.give(refuseTwo), Callback.attempt, Contexts.destroy))
    XCTAssertEqual(record(tried).text, "1 x-42")
    let mapped = own(
      rac_signal_try_map(
        values(1, 2, 3), nil,
        { _, value, out in
          out?.pointee = rac_value_int64(value.bits * 10)
          return value.bits == 3 ? -7 : 0
        }, nil))
    XCTAssertEqual(record(mapped).text, "10 20 x-7")
  }

  func testEventsAsValues() {
    let events = own(rac_signal_materialize(failing(3)))
    XCTAssertEqual(record(events).count, 2, "the error as a value, and the completion")
    for source in [values(1, 2), failing(4)] {
      let back = own(rac_signal_dematerialize(own(rac_signal_materialize(source))))
      XCTAssertEqual(record(back).text, record(source).text)
    }
  }

  func testThen() {
    let next: Callback.SignalFactory = { rac_signal_return(rac_value_int64(9)) }
    for (source, expected) in [(values(1, 2), "9 |"), (failing(5), "x5")] {
      let chain = own(
        rac_signal_then(source, Contexts.give(next), Callback.signal, Contexts.destroy))
      XCTAssertEqual(record(chain).text, expected)
    }
  }

  func testTimes() {
    let cases:
      [(String, (_ source: OpaquePointer, _ clock: OpaquePointer) -> OpaquePointer?, String)] = [
        ("buffer_with_time", { rac_signal_buffer_with_time($0, 1, $1) }, "(1, 2)@2 (3)@5.5 |@6"),
        ("timeout in time", { rac_signal_timeout($0, 7, $1) }, "1@1 2@1.5 3@4.5 |@6"),
        ("timeout", { rac_signal_timeout($0, 3, $1) }, "1@1 2@1.5 x1@3"),
        (
          "sample", { rac_signal_sample($0, self.own(rac_signal_interval($1, 2))) },
          "2@2 2@4 |@6"
        ),
        (
          "throttle_passing_test",
          { source, _ in
            rac_signal_throttle_passing_test(
              source, 1, self.below(2), Callback.test, Contexts.destroy)
          }, "2@1.5 3@4.5 |@6"
        ),
        (
          "take_until_replacement",
          { rac_signal_take_until_replacement($0, self.own(rac_signal_interval($1, 40))) },
          "1@1 2@1.5 3@4.5 0@40 1@80"
        ),
        (
          "interval_with_leeway",
          { source, clock in
            let ticks = self.own(rac_signal_interval_with_leeway(clock, 2, 0.5))
            return rac_signal_take_until(ticks, source)
          }, "|@1"
        ),
      ]
    for (name, build, expected) in cases {
      let clock = own(rac_scheduler_virtual())
      let heard = marbles("1@1 2@1.5 3@4.5 |@6", on: clock) { build($0[0], clock) }
      XCTAssertEqual(heard, expected, name)
    }
  }

  func testReads() {
    var value = rac_value()
    XCTAssertEqual(
      rac_signal_first_or_default(values(), 1, rac_value_int64(5), &value, nil), rac_status(RAC_OK))
    XCTAssertEqual(value.bits, 5)
    XCTAssertEqual(
      rac_signal_asynchronous_first_or_default(values(3), 1, rac_value_int64(5), &value, nil),
      rac_status(RAC_OK))
    XCTAssertEqual(value.bits, 3)
    XCTAssertEqual(
      rac_signal_asynchronously_wait_until_completed(values(3), 1, nil), rac_status(RAC_OK))
    XCTAssertLessThan(rac_signal_asynchronously_wait_until_completed(failing(2), 1, nil), 0)
  }
}
