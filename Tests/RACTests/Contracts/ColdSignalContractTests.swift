import CRAC
import XCTest

final class ColdSignalContractTests: LibraryTestCase {
  /// Law 1: what the simple sources send.
  func testSources() {
    let cases: [(OpaquePointer?, String)] = [
      (rac_signal_empty(), "|"),
      (rac_signal_never(), ""),
      (rac_signal_return(rac_value_int64(1)), "1 |"),
      (rac_signal_return(rac_value_nil()), "nil |"),
    ]
    for (signal, expected) in cases { XCTAssertEqual(record(own(signal)).text, expected) }
    XCTAssertEqual(record(values(1, 2, 3)).text, "1 2 3 |")
    XCTAssertEqual(record(values()).text, "|")
    XCTAssertEqual(record(failing(3)).text, "x3")
  }

  /// Law 12: the work is done once for each subscription.
  func testEachSubscriptionDoesItsOwnWork() {
    var runs: Int64 = 0
    let signal = create { subscriber in
      runs += 1
      rac_subscriber_send(subscriber, rac_value_int64(runs))
      rac_subscriber_send_completed(subscriber)
      return nil
    }
    XCTAssertEqual(runs, 0)
    XCTAssertEqual([record(signal).text, record(signal).text], ["1 |", "2 |"])
  }

  /// Law 12: so does the callback of a deferred signal.
  func testDefer() {
    var runs: Int64 = 0
    typealias Factory = () -> OpaquePointer?
    let factory: Factory = {
      runs += 1
      return rac_signal_return(rac_value_int64(runs))
    }
    let signal = own(
      rac_signal_defer(
        Contexts.give(factory),
        { context, out in
          out?.pointee = Contexts.body(context, as: Factory.self)()
          return 0
        }, Contexts.destroy))
    XCTAssertEqual([record(signal).text, record(signal).text], ["1 |", "2 |"])
  }

  /// Law 1: a producer that goes on after its end is not heard, and is told.
  func testSendsAfterTheEnd() {
    var statuses: [rac_status] = []
    let signal = create { subscriber in
      statuses.append(rac_subscriber_send(subscriber, rac_value_int64(1)))
      statuses.append(rac_subscriber_send_completed(subscriber))
      statuses.append(rac_subscriber_send(subscriber, rac_value_int64(2)))
      statuses.append(rac_subscriber_send_completed(subscriber))
      return nil
    }
    XCTAssertEqual(record(signal).text, "1 |")
    XCTAssertEqual(statuses, [0, 0, -5, -5], "RAC_EDONE")
  }

  /// Law 8: at an end the producer's disposable goes first, then comes the end, then destroy.
  func testUpstreamIsDisposedBeforeTheEnd() {
    for end in ["|", "x4"] {
      var log: [String] = []
      var subscriber: OpaquePointer?
      let signal = create {
        subscriber = $0
        rac_retain(.init($0))
        return self.disposable { log.append("cleanup") }
      }
      let recorder = record(
        signal,
        onEnd: { log.append("end") })
      if end == "|" {
        rac_subscriber_send_completed(subscriber)
      } else {
        let error = rac_value_error("test", 4, "")
        rac_subscriber_send_error(subscriber, error)
        rac_value_release(error)
      }
      XCTAssertEqual(recorder.destroyed.value, 1)
      XCTAssertEqual(log, ["cleanup", "end"])
      XCTAssertEqual(recorder.text, end)
      rac_release(.init(subscriber))
    }
  }

  /// Law 8 for a producer that ends before it has returned its disposable.
  func testADisposableReturnedAfterTheEndIsDisposedAtOnce() {
    var cleanups = 0
    let signal = create { subscriber in
      rac_subscriber_send_completed(subscriber)
      return self.disposable { cleanups += 1 }
    }
    XCTAssertEqual(record(signal).text, "|")
    XCTAssertEqual(cleanups, 1)
  }

  /// Law 11: a subscriber that is dropped without an end ends the subscription silently.
  func testADroppedSubscriberEndsTheSubscription() {
    var cleanups = 0
    var subscriber: OpaquePointer?
    let signal = create {
      subscriber = $0
      rac_retain(.init($0))
      return self.disposable { cleanups += 1 }
    }
    let recorder = record(signal)
    rac_subscriber_send(subscriber, rac_value_int64(1))
    XCTAssertEqual(recorder.destroyed.value, 0)
    rac_release(.init(subscriber))
    XCTAssertEqual(recorder.text, "1")
    XCTAssertEqual(recorder.destroyed.value, 1)
    XCTAssertEqual(cleanups, 1)
    XCTAssertEqual(rac_subscriber_send(subscriber, rac_value_int64(2)), -3, "RAC_ESTALE")
  }

  /// Law 7: a synchronous producer can be stopped from below.
  func testAProducerSeesThatNobodyListens() {
    var sent = 0
    let endless = create { subscriber in
      while rac_subscriber_is_active(subscriber) {
        rac_subscriber_send(subscriber, rac_value_int64(Int64(sent)))
        sent += 1
      }
      return nil
    }
    XCTAssertEqual(record(own(rac_signal_take(endless, 3))).text, "0 1 2 |")
    XCTAssertEqual(sent, 3)
  }

  /// Law 2: three threads that send to one subscriber.
  func testThreadsThatSendToOneSubscriber() {
    var subscriber: OpaquePointer?
    let signal = create {
      subscriber = $0
      rac_retain(.init($0))
      return nil
    }
    let recorder = record(signal)
    inParallel(3) { thread in
      for number in 0..<3000 {
        rac_subscriber_send(subscriber, rac_value_int64(Int64(thread * 3000 + number)))
      }
    }
    rac_subscriber_send_completed(subscriber)
    rac_release(.init(subscriber))
    // What was queued may be with a thread of the library by now.
    XCTAssertTrue(eventually { recorder.destroyed.value == 1 })
    XCTAssertEqual(recorder.overlaps.value, 0)
    XCTAssertEqual(recorder.events.last, "|")
    XCTAssertEqual(Set(recorder.events).count, 9001)
    XCTAssertEqual(recorder.count, 9001)
  }

  /// Law 17: a failing callback is the stream's error, with the error it raised if there is one.
  func testAFailingCallback() {
    let plain = own(rac_signal_create(nil, { _, _, _ in -107 }, nil))
    XCTAssertEqual(record(plain).text, "x-107")
    let raising = own(
      rac_signal_create(
        nil,
        { _, subscriber, _ in
          rac_subscriber_send(subscriber, rac_value_int64(1))
          let error = rac_value_error("test", 9, "raised")
          defer { rac_value_release(error) }
          return rac_raise(error)
        }, nil))
    XCTAssertEqual(record(raising).text, "1 x9")
    XCTAssertEqual(record(plain).text, "x-107", "what was raised is used up")
  }

  /// Law 10: a context stays until its signal and every subscription through it are gone.
  func testTheContextOutlivesTheSubscriptions() {
    let before = Contexts.outstanding
    var subscriber: OpaquePointer?
    let signal = create {
      subscriber = $0
      rac_retain(.init($0))
      return nil
    }
    let mapped = map(signal) { rac_value_int64($0.bits * 2) }
    let recorder = record(mapped)
    drop(mapped)
    drop(signal)
    rac_subscriber_send(subscriber, rac_value_int64(21))
    XCTAssertEqual(recorder.text, "42")
    // The map's context and the recorder's; `create` is over once its callback has returned.
    XCTAssertGreaterThanOrEqual(Contexts.outstanding, before + 2)
    rac_subscriber_send_completed(subscriber)
    rac_release(.init(subscriber))
    XCTAssertEqual(Contexts.outstanding, before)
  }

  /// Law 6: inside a callback a blocking read answers at once or not at all.
  func testBlockingReadsInsideACallback() {
    let (never, one) = (own(rac_signal_never()), values(1))
    let subject = own(rac_subject_create())
    var statuses: [rac_status] = []
    record(
      subject,
      onNext: { _ in
        statuses.append(rac_signal_first(one, -1, nil))
        statuses.append(rac_signal_first(never, -1, nil))
        statuses.append(rac_signal_first(subject, -1, nil))
        statuses.append(rac_signal_wait_until_completed(one, -1, nil))
      })
    send(1, to: subject)
    XCTAssertEqual(statuses, [0, -8, -8, 0], "RAC_EDEADLK")
    XCTAssertEqual(rac_subject_subscriber_count(subject), 1, "what it began is disposed")
  }

  /// Laws 5 and 6: blocking reads outside callbacks, on the main thread.
  func testBlockingReads() {
    XCTAssertEqual(rac_signal_first(own(rac_signal_empty()), -1, nil), -13, "RAC_EEMPTY")
    XCTAssertEqual(rac_signal_first(failing(2), -1, nil), -14, "RAC_ESTREAM")
    XCTAssertEqual(rac_signal_first(own(rac_signal_never()), 0.001, nil), -9, "RAC_ETIMEDOUT")
    XCTAssertEqual(rac_signal_first(values(1), .nan, nil), -1, "RAC_EINVAL")
    var all = rac_value_nil()
    XCTAssertEqual(rac_signal_to_array(values(1, 2), -1, &all), 0)
    XCTAssertEqual(describe(all), "(1, 2)")
    rac_value_release(all)
  }

  /// Law 14, "where subscribing runs inline": on a thread without a current scheduler the work starts in the background, unless it attached.
  func testWhereSubscriptionsStart() {
    let threads = Guarded<[pthread_t]>([])
    let signal = create { subscriber in
      threads.with { $0.append(pthread_self()) }
      rac_subscriber_send_completed(subscriber)
      return nil
    }
    inParallel(1) { _ in
      rac_thread_attach()
      let attached = Recorder()
      attached.subscribe(to: signal)
      XCTAssertEqual(attached.text, "|")
      XCTAssertEqual(threads.value.last, pthread_self())
      rac_thread_detach()
      let foreign = Recorder()
      foreign.subscribe(to: signal)
      XCTAssertTrue(self.eventually { foreign.text == "|" })
      XCTAssertNotEqual(threads.value.last, pthread_self())
      for recorder in [attached, foreign] { rac_release(.init(recorder.subscription)) }
    }
  }
}
