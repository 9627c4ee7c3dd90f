import CRAC
import XCTest

/// What the operators make of sources that send at once: law 1, values and then at most one end, and
/// law 12, for each subscription anew.
final class OperatorContractTests: LibraryTestCase {
  private typealias Build = (OpaquePointer?) -> OpaquePointer?

  func testOneSource() {
    let cases: [(String, Build, [Int64], String)] = [
      ("map_replace", { rac_signal_map_replace($0, rac_value_bool(true)) }, [1, 2], "true true |"),
      ("ignore_values", { rac_signal_ignore_values($0) }, [1, 2], "|"),
      ("take 0", { rac_signal_take($0, 0) }, [1, 2], "|"),
      ("take 1", { rac_signal_take($0, 1) }, [1, 2], "1 |"),
      ("take 3", { rac_signal_take($0, 3) }, [1, 2], "1 2 |"),
      ("skip 0", { rac_signal_skip($0, 0) }, [1, 2], "1 2 |"),
      ("skip 1", { rac_signal_skip($0, 1) }, [1, 2], "2 |"),
      ("skip 3", { rac_signal_skip($0, 3) }, [1, 2], "|"),
      ("distinct", { rac_signal_distinct_until_changed($0) }, [1, 1, 2, 2, 1], "1 2 1 |"),
      ("start_with", { rac_signal_start_with($0, rac_value_int64(9)) }, [1], "9 1 |"),
      ("collect", { rac_signal_collect($0) }, [1, 2], "(1, 2) |"),
      ("collect nothing", { rac_signal_collect($0) }, [], "() |"),
      ("repeat", { self.taking(3, rac_signal_repeat($0)) }, [1, 2], "1 2 1 |"),
      ("retry", { rac_signal_retry($0, 2) }, [1, 2], "1 2 |"),
      ("replay", { rac_signal_replay($0) }, [1, 2], "1 2 |"),
    ]
    for (name, build, numbers, expected) in cases {
      let source = own(
        rac_signal_from_values(numbers.map { rac_value_int64($0) }, numbers.count))
      XCTAssertEqual(record(own(build(source))).text, expected, name)
    }
  }

  func testCallbacks() {
    let odd = own(
      rac_signal_filter(
        values(1, 2, 3), nil,
        { _, value, out in
          out?.pointee = value.bits % 2 == 1
          return 0
        }, nil))
    XCTAssertEqual(record(odd).text, "1 3 |")
    let sums = own(
      rac_signal_scan(
        values(1, 2, 3), rac_value_int64(10), nil,
        { _, running, next, out in
          out?.pointee = rac_value_int64(running.bits + next.bits)
          return 0
        }, nil))
    XCTAssertEqual(record(sums).text, "11 13 16 |")
    let doubled = map(values(1, 2)) { rac_value_int64($0.bits * 2) }
    XCTAssertEqual(record(doubled).text, "2 4 |")
    let repeated = flattenMap(values(1, 2)) { value in
      rac_signal_from_values([value, value], 2)
    }
    XCTAssertEqual(record(repeated).text, "1 1 2 2 |")
    let nothing = flattenMap(values(1, 2)) { _ in nil }
    XCTAssertEqual(record(nothing).text, "|", "NULL stands for an empty signal")
  }

  func testSeveralSources() {
    let (first, second) = (values(1, 2), values(7))
    let failed = failing(5)
    let never = own(rac_signal_never())
    func all(_ signals: OpaquePointer?...) -> [OpaquePointer?] { signals }
    let cases: [(String, OpaquePointer?, String)] = [
      ("concat", rac_signal_concat_all(all(first, second, first), 3), "1 2 7 1 2 |"),
      ("concat of none", rac_signal_concat_all(nil, 0), "|"),
      ("concat, error", rac_signal_concat_all(all(first, failed, second), 3), "1 2 x5"),
      ("merge", rac_signal_merge(all(first, second, first), 3), "1 2 7 1 2 |"),
      ("merge of none", rac_signal_merge(nil, 0), "|"),
      ("merge, error", rac_signal_merge(all(never, failed, second), 3), "x5"),
      ("zip", rac_signal_zip(all(first, second, first), 3), "(1, 7, 1) |"),
      ("zip of none", rac_signal_zip(nil, 0), "|"),
      ("combine", rac_signal_combine_latest(all(first, second), 2), "(2, 7) |"),
      ("combine of none", rac_signal_combine_latest(nil, 0), "|"),
      ("catch", rac_signal_catch_to(failed, second), "7 |"),
      ("retry", rac_signal_retry(failed, 3), "x5"),
    ]
    for (name, signal, expected) in cases {
      XCTAssertEqual(record(own(signal)).text, expected, name)
    }
  }

  func testLookingOn() {
    var log: [String] = []
    typealias Note = () -> Void
    func note(_ text: String) -> UnsafeMutableRawPointer {
      let note: Note = { log.append(text) }
      return Contexts.give(note)
    }
    for (source, expected) in [
      (values(1), ["initially", "next", "completed", "finally"]),
      (failing(1), ["initially", "error", "finally"]),
      (own(rac_signal_never()), ["initially"]),
    ] {
      log = []
      let call: rac_action_fn = { Contexts.body($0, as: Note.self)() }
      let callNext: rac_next_fn = { context, _ in Contexts.body(context, as: Note.self)() }
      let stages: [Build] = [
        { rac_signal_do_next($0, note("next"), callNext, Contexts.destroy) },
        { rac_signal_do_error($0, note("error"), callNext, Contexts.destroy) },
        { rac_signal_do_completed($0, note("completed"), call, Contexts.destroy) },
        { rac_signal_initially($0, note("initially"), call, Contexts.destroy) },
        { rac_signal_finally($0, note("finally"), call, Contexts.destroy) },
      ]
      let chain = stages.reduce(source) { own($1($0)) }
      let recorder = record(chain)
      rac_dispose(recorder.subscription)
      XCTAssertEqual(log, expected)
    }
  }

  /// Groups come before their first value and end after the whole.
  func testGroupBy() {
    let subject = own(rac_subject_create())
    let groups = own(
      rac_signal_group_by(
        subject, nil,
        { _, value, out in
          out?.pointee = rac_value_int64(value.bits % 2)
          return 0
        }, nil, nil))
    var recorders: [Recorder] = []
    let whole = Recorder()
    whole.onNext = { value in
      let group = self.own(rac_value_to_signal(value))
      var key = rac_value_nil()
      XCTAssertEqual(rac_signal_get_key(group, &key), 0)
      XCTAssertEqual(key.bits, recorders.isEmpty ? 1 : 0)
      recorders.append(self.record(group))
    }
    whole.subscribe(to: groups)
    own(whole.subscription)
    send(1, 2, 3, 4, to: subject)
    rac_subject_send_completed(subject)
    XCTAssertEqual(recorders.map { $0.text }, ["1 3 |", "2 4 |"])
    XCTAssertEqual(whole.events.last, "|")
    whole.onNext = nil
  }

  private func taking(_ count: Int, _ signal: OpaquePointer?) -> OpaquePointer? {
    rac_signal_take(own(signal), count)
  }
}
