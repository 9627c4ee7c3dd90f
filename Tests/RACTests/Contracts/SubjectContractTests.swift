import CRAC
import XCTest

final class SubjectContractTests: LibraryTestCase {
  private let queued: rac_status = 1

  /// Law 1: values, then at most one end.
  func testNothingFollowsAnEnd() {
    let cases = [
      ("1 2 | 3", "1 2 |"), ("| |", "|"), ("1 x7 |", "1 x7"), ("x7 1 x8", "x7"), ("1", "1"),
    ]
    for (script, expected) in cases {
      let subject = own(rac_subject_create())
      let recorder = record(subject)
      perform(script, on: subject)
      XCTAssertEqual(recorder.text, expected)
    }
  }

  /// Laws 3 and 4: a send from inside waits until everybody has heard the current value.
  func testASendFromInsideReachesEverybodyAfterTheCurrentValue() {
    let subject = own(rac_subject_create())
    var log: [String] = []
    var statuses: [rac_status] = []
    for name in ["a", "b"] {
      record(
        subject,
        onNext: { value in
          log.append("\(name)\(value.bits)")
          if name == "a", value.bits < 3 {
            statuses.append(send(value.bits + 1, to: subject))
            log.append("sent")
          }
        })
    }
    XCTAssertEqual(send(1, to: subject), 0)
    XCTAssertEqual(log, ["a1", "sent", "b1", "a2", "sent", "b2", "a3", "b3"])
    XCTAssertEqual(statuses, [queued, queued])
  }

  /// Law 3: an end from inside stands in the same line.
  func testAnEndFromInsideComesAfterTheCurrentValue() {
    let subject = own(rac_subject_create())
    let first = record(
      subject, onNext: { _ in XCTAssertEqual(rac_subject_send_completed(subject), self.queued) })
    let second = record(subject)
    send(1, 2, to: subject)
    XCTAssertEqual([first.text, second.text], ["1 |", "1 |"])
  }

  /// Law 15, and law 13: who comes during a delivery or after an end hears what is sent later.
  func testANewSubscriberHearsTheNextValue() {
    let subject = own(rac_subject_create())
    var late: Recorder?
    let first = record(subject, onNext: { _ in late = late ?? self.record(subject) })
    send(1, 2, to: subject)
    rac_subject_send_completed(subject)
    let afterTheEnd = record(subject)
    send(3, to: subject)
    XCTAssertEqual(first.text, "1 2 |")
    XCTAssertEqual(late?.text, "2 |")
    XCTAssertEqual(afterTheEnd.text, "3")
  }

  /// Laws 2, 3 and 4 with four threads sending.
  func testAllSubscribersSeeOneOrderAndNothingIsLost() {
    let subject = own(rac_subject_create())
    let recorders = (0..<3).map { _ in record(subject) }
    let perThread: Int64 = 5000
    let refused = Guarded(0)
    inParallel(4) { thread in
      for number in 0..<perThread where send(Int64(thread) * perThread + number, to: subject) < 0 {
        refused.with { $0 += 1 }
      }
    }
    XCTAssertEqual(refused.value, 0)
    // What was queued may be with a thread of the library by now.
    XCTAssertTrue(eventually { recorders.allSatisfy { $0.count == Int(4 * perThread) } })
    let heard = recorders[0].events
    XCTAssertEqual(Set(heard).count, Int(4 * perThread))
    for recorder in recorders {
      XCTAssertEqual(recorder.overlaps.value, 0)
      XCTAssertTrue(recorder.events == heard)
    }
    for thread in 0..<4 {
      let mine = heard.compactMap { Int64($0) }.filter { $0 / perThread == thread }
      XCTAssertEqual(mine, mine.sorted(), "a thread's own values stay in order")
    }
  }

  /// Law 5: a sender does not wait for a callback that runs elsewhere.
  func testASenderDoesNotWaitForACallbackOfAnotherThread() {
    let subject = own(rac_subject_create())
    let entered = DispatchSemaphore(value: 0)
    let hasReturned = DispatchSemaphore(value: 0)
    let recorder = record(
      subject,
      onNext: { value in
        if value.bits != 1 { return }
        entered.signal()
        XCTAssertEqual(hasReturned.wait(timeout: .now() + 5), .success)
      })
    inParallel(2) { thread in
      if thread == 0 {
        send(1, to: subject)
      } else {
        entered.wait()
        XCTAssertEqual(send(2, to: subject), self.queued)
        hasReturned.signal()
      }
    }
    XCTAssertEqual(recorder.text, "1 2")
  }

  /// Law 11: when nobody can send any more, subscriptions end silently.
  func testTheLastReferenceTakesTheSubscriptionsAlong() {
    let subject = own(rac_subject_create())
    let recorder = record(subject)
    send(1, to: subject)
    XCTAssertEqual(rac_subject_subscriber_count(subject), 1)
    drop(subject)
    XCTAssertEqual(recorder.text, "1")
    XCTAssertEqual(recorder.destroyed.value, 1)
  }

  /// Laws 13 and 14: what a late subscriber of a subject with a memory hears before it returns.
  func testReplay() {
    let unlimited = Int.max
    let cases: [(capacity: Int, script: String, late: String)] = [
      (unlimited, "", ""),
      (unlimited, "1 2 3", "1 2 3"),
      (unlimited, "1 2 3 |", "1 2 3 |"),
      (unlimited, "1 x7", "1 x7"),
      (2, "1 2 3", "2 3"),
      (2, "1 |", "1 |"),
      (1, "1 2 3 |", "3 |"),
      (0, "1 2 3", ""),
      (0, "1 2 |", "|"),
      (0, "x5", "x5"),
    ]
    for (capacity, script, late) in cases {
      let subject = own(rac_replay_subject_create(capacity))
      let early = record(subject)
      perform(script, on: subject)
      XCTAssertEqual(early.text, script)
      XCTAssertEqual(record(subject).text, late, "\(script) with capacity \(capacity)")
    }
  }

  /// Law 13: a behavior subject repeats its current value, but not its end.
  func testBehavior() {
    for (script, late) in [("", "0"), ("1 2", "2"), ("1 |", "1"), ("x7", "0")] {
      let subject = own(rac_behavior_subject_create(rac_value_int64(0)))
      let early = record(subject)
      perform(script, on: subject)
      XCTAssertEqual(early.text, script.isEmpty ? "0" : "0 " + script)
      XCTAssertEqual(record(subject).text, late)
    }
  }

  /// Law 14: also from inside a delivery of the same subject.
  func testReplayFromInsideADelivery() {
    let subject = own(rac_replay_subject_create(Int.max))
    var late: Recorder?
    var heardAtOnce = ""
    record(
      subject,
      onNext: { value in
        if value.bits != 2 { return }
        send(3, to: subject)
        late = self.record(subject)
        heardAtOnce = late!.text
      })
    send(1, 2, 4, to: subject)
    XCTAssertEqual(heardAtOnce, "1 2")
    XCTAssertEqual(late?.text, "1 2 3 4")
  }

  /// Law 14 with a thread that sends meanwhile.
  func testReplayLeavesNoGapWhileAnotherThreadSends() {
    let subject = own(rac_replay_subject_create(Int.max))
    let count: Int64 = 4000
    let recorders = Guarded<[Recorder]>([])
    let progress = Guarded<Int64>(0)
    rac_set_subscribe_inline(true)
    inParallel(2) { thread in
      if thread == 0 {
        for number in 0..<count {
          send(number, to: subject)
          progress.with { $0 = number }
        }
        return
      }
      for step in 0..<20 as Range<Int64> {
        while progress.value < step * count / 20 { sched_yield() }
        let recorder = Recorder()
        recorder.subscribe(to: subject)
        recorders.with { $0.append(recorder) }
      }
    }
    rac_set_subscribe_inline(false)
    let all = (0..<count).map { "\($0)" }
    for recorder in recorders.value {
      XCTAssertTrue(eventually { recorder.count == Int(count) })
      XCTAssertTrue(recorder.events == all, "heard \(recorder.events.count) values")
      XCTAssertEqual(recorder.overlaps.value, 0)
      own(recorder.subscription)
    }
  }

  /// Law 21: what a subject remembers is released when it is pushed out, and when the subject goes.
  func testRememberedValuesAreReleased() {
    let released = Guarded<[Int64]>([])
    let subject = own(rac_replay_subject_create(2))
    for number: Int64 in 1...4 {
      let value = rac_value_pointer_owned(
        Contexts.give { released.with { $0.append(number) } }, nil,
        { context in
          Contexts.body(context, as: (() -> Void).self)()
          Contexts.destroy(context)
        })
      rac_subject_send(subject, value)
      rac_value_release(value)
    }
    XCTAssertEqual(released.value, [1, 2])
    drop(subject)
    XCTAssertEqual(released.value, [1, 2, 3, 4])
  }

  private func perform(_ script: String, on subject: OpaquePointer) {
    for event in script.split(separator: " ") {
      switch event.first {
      case "|": rac_subject_send_completed(subject)
      case "x": sendError(Int64(event.dropFirst())!, to: subject)
      default: send(Int64(event)!, to: subject)
      }
    }
  }
}
