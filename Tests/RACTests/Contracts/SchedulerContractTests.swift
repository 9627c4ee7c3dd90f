import CRAC
import XCTest

/// Schedulers as the host sees them: the main one, which runs when it is told to, and law 7 for jobs.
final class SchedulerContractTests: LibraryTestCase {
  private let main = rac_scheduler_main()
  private var log: [Int] = []

  override func setUp() {
    super.setUp()
    log = []
    rac_main_drain(0)
  }

  private func schedule(
    _ number: Int, after seconds: Double? = nil, also: @escaping () -> Void = {}
  ) -> OpaquePointer {
    let body: () -> Void = { [unowned self] in
      log.append(number)
      also()
    }
    let action: rac_action_fn = { Contexts.body($0, as: (() -> Void).self)() }
    let context = Contexts.give(body)
    guard let seconds else { return own(rac_schedule(main, context, action, Contexts.destroy)) }
    return own(rac_schedule_after(main, seconds, context, action, Contexts.destroy))
  }

  /// Whether a poll of the descriptor says that there is something to do.
  private func isReadable(within milliseconds: Int32 = 0) -> Bool {
    var descriptor = pollfd(fd: rac_main_fd(), events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, milliseconds) == 1
  }

  func testNothingRunsUntilTheHostDrains() {
    XCTAssertFalse(isReadable())
    for number in 1...3 { _ = schedule(number) }
    XCTAssertEqual(log, [])
    XCTAssertTrue(isReadable())
    XCTAssertEqual(rac_main_next_deadline(), 0)
    XCTAssertEqual(rac_main_drain(2), 2)
    XCTAssertEqual(log, [1, 2])
    XCTAssertTrue(isReadable(), "as long as a drain would find something")
    XCTAssertEqual(rac_main_drain(0), 1)
    XCTAssertEqual(log, [1, 2, 3])
    XCTAssertFalse(isReadable())
  }

  func testWhatADrainCausesWaitsForTheNextOne() {
    _ = schedule(1, also: { _ = self.schedule(2) })
    XCTAssertEqual(rac_main_drain(0), 1)
    XCTAssertTrue(isReadable())
    XCTAssertEqual(rac_main_drain(0), 1)
    XCTAssertEqual(log, [1, 2])
  }

  func testADeadlineMakesTheDescriptorReadable() {
    let far = schedule(9, after: 3600)
    _ = schedule(1, after: 0.3)
    let left = rac_main_next_deadline()
    XCTAssertTrue(left > 0 && left <= 0.3, "\(left)")
    XCTAssertTrue(isReadable(within: 2000))
    XCTAssertEqual(rac_main_drain(0), 1)
    XCTAssertEqual(log, [1])
    XCTAssertFalse(isReadable())
    XCTAssertGreaterThan(rac_main_next_deadline(), 3000)
    rac_dispose(far)
  }

  /// Law 7: a job that was disposed does not run, and law 9: its context is destroyed at once.
  func testADisposedJobDoesNotRun() {
    let before = Contexts.outstanding
    let jobs = [schedule(1), schedule(2, after: 0), schedule(3, after: 3600)]
    for job in jobs { rac_dispose(job) }
    XCTAssertEqual(Contexts.outstanding, before)
    rac_main_drain(0)
    XCTAssertEqual(log, [])
  }

  func testRunningUntilStoppedFromAnotherThread() {
    let stop: rac_action_fn = { _ in _ = rac_main_stop() }
    let background = own(rac_scheduler_background(0, "stopper"))
    _ = schedule(1)
    _ = schedule(2, after: 0.005)
    own(rac_schedule_after(background, 0.3, nil, stop, nil))
    XCTAssertEqual(rac_main_run(), 0)
    XCTAssertEqual(log, [1, 2])
    XCTAssertEqual(rac_main_run_for(0.001), 0)
  }

  /// One thread at a time runs it; a second one is told so.
  func testASecondThreadIsTurnedAway() {
    var statuses: [Int64] = []
    _ = schedule(
      1,
      also: {
        let status = Guarded<Int64>(0)
        inParallel(1) { _ in status.with { $0 = rac_main_drain(0) } }
        statuses = [status.value, rac_main_drain(0)]
      })
    XCTAssertEqual(rac_main_drain(0), 1)
    XCTAssertEqual(statuses, [-12, 0], "RAC_EBUSY, and its own jobs may")
  }

  /// Law 6: a job that waits for what only its own scheduler could do is refused.
  func testABlockingReadInsideAJob() {
    let later = own(rac_signal_deliver_on(values(1), main))
    var status: rac_status = 0
    _ = schedule(1, also: { status = rac_signal_first(later, -1, nil) })
    rac_main_drain(0)
    XCTAssertEqual(status, -8, "RAC_EDEADLK")
    rac_main_drain(0)
  }

  func testRepeatingJobs() {
    let clock = own(rac_scheduler_virtual())
    var times: [Double] = []
    let tick: () -> Void = { times.append(rac_scheduler_now(clock)) }
    let job = own(
      rac_schedule_repeating(
        clock, 1, 0.5, 0, Contexts.give(tick), { Contexts.body($0, as: (() -> Void).self)() },
        Contexts.destroy))
    rac_virtual_advance_to(clock, 2.2)
    XCTAssertEqual(times, [1, 1.5, 2])
    rac_dispose(job)
    rac_virtual_advance_to(clock, 9)
    XCTAssertEqual(times.count, 3)
  }
}
