import CRAC
import XCTest

/// Arrays in one call: sent, they are their elements one by one; taken, they change when a subscriber
/// hears of a value, and nothing else.
final class BatchContractTests: LibraryTestCase {
  private let queued: rac_status = 1
  private let done: rac_status = -5

  /// Law 3: what a callback sends comes after the value it heard, for everybody, and before the next
  /// element.
  func testASendFromInsideComesBeforeTheNextElement() {
    let subject = own(rac_subject_create())
    let first = record(subject)
    record(
      subject,
      onNext: { value in
        if value.bits < 10 {
          XCTAssertEqual(send(value.bits * 10, value.bits * 100, to: subject), self.queued)
        }
      })
    let last = record(subject)
    XCTAssertEqual(rac_subject_send_int64s(subject, [1, 2], 2), 0)
    XCTAssertEqual(first.text, "1 10 100 2 20 200")
    XCTAssertEqual(last.text, first.text)
  }

  /// Laws 1, 7 and 15 between the elements: ends, disposals and subscriptions take effect at once.
  func testWhatHappensDuringAnArrayAppliesToTheNextElement() {
    let subject = own(rac_subject_create())
    var late: Recorder?
    var leaving: Recorder?
    record(
      subject,
      onNext: { value in
        if value.bits == 1 { late = self.record(subject) }
        if value.bits == 2 { rac_dispose(leaving?.subscription) }
        if value.bits == 3 { rac_subject_send_completed(subject) }
      })
    leaving = record(subject)
    XCTAssertEqual(rac_subject_send_doubles(subject, [1, 2, 3, 4], 4), 0)
    XCTAssertEqual(late?.text, nil)
    XCTAssertEqual(leaving?.text, "1 2 3 4")
    XCTAssertEqual(rac_subject_send_int64s(subject, [1, 2, 3, 4], 4), 0)
    XCTAssertEqual(late?.text, "2 3 |")
    XCTAssertEqual(leaving?.text, "1 2 3 4 1")
  }

  /// Law 11: the subscription keeps what it needs, and a producer learns that nobody is left.
  func testAProducerStopsWhenNobodyIsLeft() {
    var status: rac_status = 0
    let signal = create { subscriber in
      status = rac_subscriber_send_int64s(subscriber, [1, 2, 3], 3)
      return nil
    }
    XCTAssertEqual(record(own(rac_signal_take(signal, 2))).text, "1 2 |")
    XCTAssertEqual(status, done)
    XCTAssertEqual(record(signal).text, "1 2 3")
    XCTAssertEqual(status, 0)
  }

  /// Law 3 with threads that send arrays and single values.
  func testAllSubscribersSeeOneOrder() {
    let subject = own(rac_subject_create())
    let recorders = (0..<3).map { _ in record(subject) }
    let rounds = 200
    inParallel(4) { thread in
      for round in 0..<rounds {
        let start = Int64(thread * rounds + round) * 10
        let numbers = (0..<9).map { start + $0 }
        XCTAssertGreaterThanOrEqual(rac_subject_send_int64s(subject, numbers, 9), 0)
        XCTAssertGreaterThanOrEqual(send(start + 9, to: subject), 0)
      }
    }
    XCTAssertTrue(eventually { recorders.allSatisfy { $0.count == 4 * rounds * 10 } })
    let heard = recorders[0].events
    XCTAssertEqual(Set(heard).count, 4 * rounds * 10)
    for other in recorders { XCTAssertEqual(other.events, heard) }
    for thread in 0..<4 {
      let range = Int64(thread * rounds * 10)..<Int64((thread + 1) * rounds * 10)
      let mine = heard.compactMap { Int64($0) }.filter { range.contains($0) }
      XCTAssertEqual(mine, mine.sorted())
    }
  }

  // MARK: Taking

  func testBatchesByCountAndByTime() {
    let cases: [(source: String, expected: String)] = [
      ("1@1 2@2 3@3 |@4", "12@2 3@4 |@4"),
      ("1@1 2@2 3@3", "12@2 3@13"),
      ("1@1", "1@11"),
      ("1@1 x7@2", "1@2 x7@2"),
      ("|@1", "|@1"),
      ("1@1 2@1 3@1 4@1 |@2", "12@1 34@1 |@2"),
    ]
    for (source, expected) in cases {
      let clock = own(rac_scheduler_virtual())
      let subject = own(rac_subject_create())
      let recorder = Recorder(clock: clock)
      let subscription = own(takeBatches(subject, 2, 10, clock, recorder))
      play(source, into: subject, on: clock)
      rac_virtual_advance_to(clock, 100)
      XCTAssertEqual(recorder.text, expected, source)
      rac_dispose(subscription)
      XCTAssertEqual(recorder.destroyed.value, 1)
    }
  }

  /// Law 7: a disposal is silent and drops what has gathered.
  func testADisposalDropsWhatHasGathered() {
    let clock = own(rac_scheduler_virtual())
    let subject = own(rac_subject_create())
    let recorder = Recorder(clock: clock)
    let subscription = own(takeBatches(subject, 10, 1, clock, recorder))
    rac_subject_send_int64s(subject, [1, 2, 3], 3)
    rac_dispose(subscription)
    XCTAssertEqual(recorder.destroyed.value, 1)
    rac_virtual_advance_to(clock, 100)
    XCTAssertEqual(recorder.text, "")
  }

  /// Law 9: also when the call fails.
  func testDestroyRunsOnceWhenSubscribingFails() {
    let never = own(rac_signal_never())
    for (count, interval) in [(0, 1.0), (1, -1.0), (1, .nan)] {
      let recorder = Recorder()
      XCTAssertNil(takeBatches(never, count, interval, nil, recorder))
      XCTAssertEqual(recorder.destroyed.value, 1)
    }
  }

  /// Notes a batch as its digits side by side.
  private func takeBatches(
    _ signal: OpaquePointer?, _ count: Int, _ interval: Double, _ scheduler: OpaquePointer?,
    _ recorder: Recorder
  ) -> OpaquePointer? {
    var observer = rac_batch_observer()
    observer.size = MemoryLayout<rac_batch_observer>.size
    observer.context = Contexts.give(recorder)
    observer.next_int64s = { context, numbers, count in
      let batch = UnsafeBufferPointer(start: numbers, count: count)
      Contexts.body(context, as: Recorder.self).note(batch.map { "\($0)" }.joined())
    }
    observer.error = { context, error in
      Contexts.body(context, as: Recorder.self).note("x\(rac_error_get_code(error))")
    }
    observer.completed = { Contexts.body($0, as: Recorder.self).note("|") }
    observer.destroy = { context in
      let recorder = Contexts.body(context, as: Recorder.self)
      Contexts.destroy(context)
      recorder.destroyed.with { $0 += 1 }
    }
    return rac_subscribe_batches(signal, count, interval, scheduler, &observer)
  }
}
