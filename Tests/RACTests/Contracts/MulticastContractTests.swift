import CRAC
import XCTest

/// Law 12: sharing is explicit, through a connection, a replay or a subject. What is shared keeps to
/// laws 1, 7 and 14 like everything else.
final class MulticastContractTests: LibraryTestCase {
  /// A cold signal over a subject that counts its subscriptions and their disposal.
  private final class Source {
    var subscriptions = 0
    var disposals = 0
    var signal: OpaquePointer!
    var subject: OpaquePointer!
  }

  private func makeSource() -> Source {
    let source = Source()
    source.subject = own(rac_subject_create())
    let inner: OpaquePointer = source.subject
    source.signal = create { [unowned self, unowned source] subscriber in
      source.subscriptions += 1
      let subscription = rac_subscribe_subscriber(inner, subscriber)
      return self.disposable {
        source.disposals += 1
        rac_dispose(subscription)
        rac_release(.init(subscription))
      }
    }
    return source
  }

  func testAConnectionSharesOneSubscription() {
    let source = makeSource()
    let connection = own(rac_signal_publish(source.signal))
    let shared = own(rac_connection_signal(connection))
    let early = [record(shared), record(shared)]
    send(1, to: source.subject)
    XCTAssertEqual(source.subscriptions, 0, "not connected yet")
    let subscription = own(rac_connection_connect(connection))
    XCTAssertEqual(source.subscriptions, 1)
    send(2, to: source.subject)
    let late = record(shared)
    send(3, to: source.subject)
    rac_subject_send_completed(source.subject)
    XCTAssertEqual(early.map { $0.text }, ["2 3 |", "2 3 |"])
    XCTAssertEqual(late.text, "3 |")
    XCTAssertTrue(rac_is_disposed(subscription))
    XCTAssertEqual(source.disposals, 1)
  }

  func testConnectingAgainIsTheSameSubscription() {
    let source = makeSource()
    let connection = own(rac_signal_publish(source.signal))
    let recorder = record(own(rac_connection_signal(connection)))
    let first = own(rac_connection_connect(connection))
    let again = own(rac_connection_connect(connection))
    XCTAssertEqual(source.subscriptions, 1)
    send(1, to: source.subject)
    rac_dispose(again)
    XCTAssertTrue(rac_is_disposed(first))
    XCTAssertEqual(source.disposals, 1)
    send(2, to: source.subject)
    own(rac_connection_connect(connection))
    XCTAssertEqual(source.subscriptions, 1, "a connection is made once")
    XCTAssertEqual(recorder.text, "1", "disposal is silent")
  }

  func testConnectingFromFourThreads() {
    for _ in 0..<50 {
      let runs = Guarded(0)
      let source = create { subscriber in
        runs.with { $0 += 1 }
        rac_subscriber_send_completed(subscriber)
        return nil
      }
      let connection = own(rac_signal_publish(source))
      inParallel(4) { _ in
        rac_thread_attach()
        rac_release(.init(rac_connection_connect(connection)))
        rac_thread_detach()
      }
      XCTAssertEqual(runs.value, 1)
    }
  }

  func testAutoconnect() {
    let source = makeSource()
    let connection = own(rac_signal_publish(source.signal))
    let shared = own(rac_connection_autoconnect(connection))
    XCTAssertEqual(source.subscriptions, 0)
    let first = record(shared)
    let second = record(shared)
    XCTAssertEqual(source.subscriptions, 1)
    send(1, to: source.subject)
    rac_dispose(first.subscription)
    send(2, to: source.subject)
    XCTAssertEqual(source.disposals, 0, "somebody still listens")
    rac_dispose(second.subscription)
    XCTAssertEqual(source.disposals, 1)
    XCTAssertEqual([first.text, second.text], ["1", "1 2"])
    XCTAssertEqual(rac_subject_subscriber_count(source.subject), 0)
  }

  func testMulticastThroughAReplaySubject() {
    let source = makeSource()
    let replay = own(rac_replay_subject_create(2))
    let connection = own(rac_signal_multicast(source.signal, replay))
    own(rac_connection_connect(connection))
    send(1, 2, 3, to: source.subject)
    XCTAssertEqual(record(own(rac_connection_signal(connection))).text, "2 3")
    sendError(5, to: source.subject)
    XCTAssertEqual(record(replay).text, "2 3 x5")
  }

  func testReplaySubscribesNowAndOnce() {
    let cases: [(String, (OpaquePointer?) -> OpaquePointer?, early: String, late: String)] = [
      ("replay", { rac_signal_replay($0) }, "1 2 3 |", "1 2 3 |"),
      ("replay_last", { rac_signal_replay_last($0) }, "1 2 3 |", "3 |"),
    ]
    for (name, make, early, late) in cases {
      let source = makeSource()
      let signal = own(make(source.signal))
      XCTAssertEqual(source.subscriptions, 1, name)
      let first = record(signal)
      send(1, 2, to: source.subject)
      XCTAssertEqual(record(signal).text, late == "3 |" ? "2" : "1 2")
      send(3, to: source.subject)
      rac_subject_send_completed(source.subject)
      XCTAssertEqual(first.text, early, name)
      XCTAssertEqual(record(signal).text, late, name)
      XCTAssertEqual(source.subscriptions, 1, name)
    }
  }

  func testReplayLazilyWaitsForTheFirstSubscriber() {
    let source = makeSource()
    let signal = own(rac_signal_replay_lazily(source.signal))
    XCTAssertEqual(source.subscriptions, 0)
    let first = record(signal)
    XCTAssertEqual(source.subscriptions, 1)
    send(1, to: source.subject)
    rac_dispose(first.subscription)
    send(2, to: source.subject)
    XCTAssertEqual(record(signal).text, "1 2", "it never disconnects")
    XCTAssertEqual(source.subscriptions, 1)
    rac_subject_send_completed(source.subject)
  }

  func testStartEagerlyAndLazilyRunOnce() {
    typealias Start = (OpaquePointer) -> Void
    let call: rac_start_fn = { context, subscriber in
      Contexts.body(context, as: Start.self)(subscriber!)
      return 0
    }
    for isLazy in [false, true] {
      let clock = own(rac_scheduler_virtual())
      var runs: Int64 = 0
      let start: Start = { subscriber in
        runs += 1
        rac_subscriber_send(subscriber, rac_value_int64(runs))
        rac_subscriber_send_completed(subscriber)
      }
      let make = isLazy ? rac_signal_start_lazily : rac_signal_start_eagerly
      let signal = own(make(clock, Contexts.give(start), call, Contexts.destroy))
      rac_virtual_step_all(clock)
      XCTAssertEqual(runs, isLazy ? 0 : 1)
      let recorders = [record(signal), record(signal)]
      XCTAssertEqual(recorders.map { $0.text }, ["", ""], "subscribing is work for the scheduler")
      rac_virtual_step_all(clock)
      XCTAssertEqual(recorders.map { $0.text }, ["1 |", "1 |"])
      XCTAssertEqual(runs, 1)
    }
  }

  /// A subject subscribed to a signal hears what it sends; to itself it cannot be.
  func testASubjectAsSubscriber() {
    let (source, target) = (own(rac_subject_create()), own(rac_subject_create()))
    let recorder = record(target)
    let subscription = own(rac_subscribe_subscriber(source, target))
    send(1, to: source)
    rac_dispose(subscription)
    send(2, to: source)
    own(rac_subscribe_subscriber(source, target))
    send(3, to: source)
    rac_subject_send_completed(source)
    XCTAssertEqual(recorder.text, "1 3 |")
    XCTAssertNil(rac_subscribe_subscriber(target, target))
    XCTAssertEqual(rac_last_error_code(), -1, "RAC_EINVAL")
    rac_clear_last_error()
  }
}
