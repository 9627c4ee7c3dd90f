import CRAC
import XCTest

/// Law 7, disposal; law 9, destroy; law 11, what keeps a subscription alive.
final class DisposalContractTests: LibraryTestCase {
  // MARK: Law 7

  func testDisposalIsSilentAndIdempotent() {
    let subject = own(rac_subject_create())
    let recorder = record(subject)
    send(1, to: subject)
    XCTAssertFalse(rac_is_disposed(recorder.subscription))
    XCTAssertEqual(rac_dispose(recorder.subscription), 0)
    XCTAssertEqual(rac_dispose(recorder.subscription), 0)
    XCTAssertTrue(rac_is_disposed(recorder.subscription))
    send(2, to: subject)
    rac_subject_send_completed(subject)
    XCTAssertEqual(recorder.text, "1")
    XCTAssertEqual(recorder.destroyed.value, 1)
    XCTAssertEqual(rac_dispose(nil), 0)
  }

  func testAnEndDisposesTheSubscription() {
    let subject = own(rac_subject_create())
    var wasDisposed: Bool?
    let recorder = Recorder()
    recorder.onEnd = { [unowned recorder] in
      wasDisposed = rac_is_disposed(recorder.subscription)
      XCTAssertEqual(rac_dispose(recorder.subscription), 0)
    }
    recorder.subscribe(to: subject)
    own(recorder.subscription)
    rac_subject_send_completed(subject)
    XCTAssertEqual(wasDisposed, true)
    XCTAssertEqual(recorder.text, "|")
  }

  func testDisposingAnotherSubscriptionFromInside() {
    let subject = own(rac_subject_create())
    var victim: OpaquePointer?
    let first = record(subject, onNext: { _ in rac_dispose(victim) })
    let second = record(subject)
    let third = record(subject)
    victim = second.subscription
    send(1, 2, to: subject)
    XCTAssertEqual([first.text, second.text, third.text], ["1 2", "", "1 2"])
  }

  func testAQueuedValueDoesNotArriveAfterTheDisposal() {
    let subject = own(rac_subject_create())
    let recorder = Recorder()
    recorder.onNext = { [unowned recorder] value in
      if value.bits != 1 { return }
      send(2, to: subject)
      rac_dispose(recorder.subscription)
    }
    recorder.subscribe(to: subject)
    own(recorder.subscription)
    send(1, 3, to: subject)
    XCTAssertEqual(recorder.text, "1")
  }

  /// A subscription can be disposed before `rac_subscribe` has returned, by way of take, or through a
  /// disposable that the producer was given.
  func testDisposingBeforeSubscribeReturns() {
    let log = Guarded<[String]>([])
    let signal = create { subscriber in
      rac_subscriber_send(subscriber, rac_value_int64(1))
      log.with { $0.append("active: \(rac_subscriber_is_active(subscriber))") }
      rac_subscriber_send(subscriber, rac_value_int64(2))
      let early = self.disposable { log.with { $0.append("added late, disposed") } }
      rac_subscriber_add_disposable(subscriber, early)
      rac_release(.init(early))
      return self.disposable { log.with { $0.append("returned late, disposed") } }
    }
    XCTAssertEqual(record(own(rac_signal_take(signal, 1))).text, "1 |")
    XCTAssertEqual(
      log.value, ["active: false", "added late, disposed", "returned late, disposed"])
  }

  func testDisposalFromAnotherThreadWhileEventsFlow() {
    for _ in 0..<100 {
      let subject = own(rac_subject_create())
      let returned = Guarded(false)
      let startedLate = Guarded(0)
      let recorder = Recorder()
      recorder.onNext = { _ in if returned.value { startedLate.with { $0 += 1 } } }
      recorder.subscribe(to: subject)
      own(recorder.subscription)
      inParallel(2) { thread in
        if thread == 0 {
          for number in 0..<300 { send(Int64(number), to: subject) }
        } else {
          while recorder.count < 20 { sched_yield() }
          rac_dispose(recorder.subscription)
          returned.with { $0 = true }
        }
      }
      // One callback may have been on its way while dispose returned.
      XCTAssertLessThanOrEqual(startedLate.value, 1)
      XCTAssertEqual(recorder.overlaps.value, 0)
      XCTAssertTrue(eventually { recorder.destroyed.value == 1 })
    }
  }

  func testDisposeAndWait() {
    let subject = own(rac_subject_create())
    let entered = DispatchSemaphore(value: 0)
    var pending: rac_status?
    let recorder = Recorder()
    recorder.onNext = { value in
      if value.bits == 1 {
        entered.signal()
        usleep(20_000)
      }
    }
    recorder.subscribe(to: subject)
    own(recorder.subscription)
    inParallel(2) { thread in
      if thread == 0 {
        send(1, to: subject)
      } else {
        entered.wait()
        XCTAssertEqual(rac_dispose_and_wait(recorder.subscription, 5), 0)
        XCTAssertEqual(recorder.destroyed.value, 1)
      }
    }
    let inside = Recorder()
    inside.onNext = { [unowned inside] _ in
      pending = rac_dispose_and_wait(inside.subscription, -1)
    }
    inside.subscribe(to: subject)
    own(inside.subscription)
    send(2, 3, to: subject)
    XCTAssertEqual(pending, 2, "RAC_PENDING")
    XCTAssertEqual(inside.text, "2")
    XCTAssertEqual(rac_dispose_and_wait(inside.subscription, .nan), -1, "RAC_EINVAL")
  }

  // MARK: Law 9

  func testDestroyRunsOnceAlsoWhenTheCallFails() {
    let notASignal = own(rac_compound_disposable_create())
    let stale = rac_signal_never()
    rac_release(.init(stale))
    let calls: [(String, (OpaquePointer?, UnsafeMutableRawPointer) -> OpaquePointer?)] = [
      ("map", { rac_signal_map($0, $1, { _, _, _ in 0 }, Contexts.destroy) }),
      ("filter", { rac_signal_filter($0, $1, { _, _, _ in 0 }, Contexts.destroy) }),
      (
        "scan",
        { rac_signal_scan($0, rac_value_nil(), $1, { _, _, _, _ in 0 }, Contexts.destroy) }
      ),
      ("flatten_map", { rac_signal_flatten_map($0, $1, { _, _, _ in 0 }, Contexts.destroy) }),
      ("bind", { rac_signal_bind($0, $1, { _, _, _, _ in 0 }, Contexts.destroy) }),
      ("group_by", { rac_signal_group_by($0, $1, { _, _, _ in 0 }, nil, Contexts.destroy) }),
      ("catch", { rac_signal_catch($0, $1, { _, _, _ in 0 }, Contexts.destroy) }),
      ("do_next", { rac_signal_do_next($0, $1, { _, _ in }, Contexts.destroy) }),
      ("do_error", { rac_signal_do_error($0, $1, { _, _ in }, Contexts.destroy) }),
      ("do_completed", { rac_signal_do_completed($0, $1, { _ in }, Contexts.destroy) }),
      ("initially", { rac_signal_initially($0, $1, { _ in }, Contexts.destroy) }),
      ("finally", { rac_signal_finally($0, $1, { _ in }, Contexts.destroy) }),
      ("subscribe_next", { rac_subscribe_next($0, $1, { _, _ in }, Contexts.destroy) }),
      ("schedule", { rac_schedule($0, $1, { _ in }, Contexts.destroy) }),
      ("schedule_after", { rac_schedule_after($0, 1, $1, { _ in }, Contexts.destroy) }),
      ("schedule, NaN", { _, context in self.scheduleNever(context) }),
      ("create, no callback", { rac_signal_create($1, self.nothing($0), Contexts.destroy) }),
    ]
    let before = Contexts.outstanding
    for (name, call) in calls {
      for (kind, handle) in [("NULL", nil), ("stale", stale), ("other", notASignal)] {
        XCTAssertNil(call(handle, Contexts.give(0)), "\(name), \(kind)")
        XCTAssertEqual(Contexts.outstanding, before, "\(name), \(kind)")
        XCTAssertLessThan(rac_last_error_code(), 0, "\(name), \(kind)")
        rac_clear_last_error()
      }
    }
  }

  private func nothing(_ handle: OpaquePointer?) -> rac_subscribe_fn? { nil }

  private func scheduleNever(_ context: UnsafeMutableRawPointer) -> OpaquePointer? {
    rac_schedule_after(own(rac_scheduler_virtual()), .nan, context, { _ in }, Contexts.destroy)
  }

  func testTheSamePointerGivenTwiceIsDestroyedTwice() {
    let subject = own(rac_subject_create())
    let count = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    count.initialize(to: 0)
    let destroy: rac_destroy_fn = { $0!.assumingMemoryBound(to: Int32.self).pointee += 1 }
    for _ in 0..<2 { own(rac_subscribe_next(subject, count, { _, _ in }, destroy)) }
    XCTAssertEqual(count.pointee, 0)
    rac_subject_send_completed(subject)
    XCTAssertEqual(count.pointee, 2)
    count.deallocate()
  }

  // MARK: Law 11 and the disposables

  func testOnlyAScopedDisposableDisposesWhenItGoes() {
    let subject = own(rac_subject_create())
    let kept = Recorder()
    kept.subscribe(to: subject)
    rac_release(.init(kept.subscription))
    let scoped = record(subject)
    let scope = own(rac_scoped_disposable_create(scoped.subscription))
    send(1, to: subject)
    drop(scope)
    send(2, to: subject)
    XCTAssertEqual([kept.text, scoped.text], ["1 2", "1"])
    XCTAssertTrue(rac_is_disposed(scoped.subscription))
  }

  func testCompoundDisposable() {
    let log = Guarded<[String]>([])
    func logging(_ name: String) -> OpaquePointer {
      own(disposable { log.with { $0.append(name) } })
    }
    let compound = own(rac_compound_disposable_create())
    let (stays, leaves, late) = (logging("stays"), logging("leaves"), logging("late"))
    for member in [stays, leaves, stays] { rac_compound_disposable_add(compound, member) }
    rac_compound_disposable_remove(compound, leaves)
    XCTAssertEqual(rac_compound_disposable_add(compound, compound), -1, "RAC_EINVAL")
    rac_dispose(compound)
    rac_dispose(compound)
    rac_compound_disposable_add(compound, late)
    XCTAssertEqual(log.value, ["stays", "late"])
    XCTAssertFalse(rac_is_disposed(leaves))
    rac_clear_last_error()
  }

  func testSerialDisposable() {
    let serial = own(rac_serial_disposable_create())
    let members = (0..<4).map { _ in own(disposable {}) }
    rac_serial_disposable_set(serial, members[0])
    rac_serial_disposable_set(serial, members[1])
    XCTAssertFalse(rac_is_disposed(members[0]), "putting another in does not dispose it")
    let before = own(rac_serial_disposable_swap(serial, members[2]))
    rac_dispose(before)
    XCTAssertEqual(members.map { rac_is_disposed($0) }, [false, true, false, false])
    rac_dispose(serial)
    XCTAssertTrue(rac_is_disposed(members[2]))
    rac_serial_disposable_set(serial, members[3])
    XCTAssertTrue(rac_is_disposed(members[3]), "late, and disposed at once")
    XCTAssertNil(rac_serial_disposable_current(serial))
  }
}
