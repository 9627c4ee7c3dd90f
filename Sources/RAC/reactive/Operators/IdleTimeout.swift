/// Fails when no value has come for some time, from the subscription on.
///
///     source         --1--2--------3--|
///     idle_timeout 5 --1--2----#
///
/// Each value puts it off; rac_signal_timeout() fails when the end does not come. The error has the
/// domain "rac.signal" and the code RAC_SIGNAL_TIMED_OUT. The source is disposed before it is sent.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter scheduler: borrowed, retained; the error is sent there. NULL: the one that is
///   current at the subscription; without one, a background scheduler. Not the immediate one.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: timeout. Since: 0.1
@c public func rac_signal_idle_timeout(
  _ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?
) -> CSignal? {
  Border.derive(source, seconds, scheduler) { $0.idleTimeout($1, to: nil) }
}

/// Goes on with another signal when no value has come for some time, from the subscription on.
///
///     source            --1--2--------3--|
///     other                       -8-9--|
///     idle_timeout_to 5 --1--2-----8-9--|
///
/// The source is disposed before the other one is subscribed to, which may be silent for as long as
/// it likes.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter other: borrowed; subscribed to only then.
/// - Parameter scheduler: as for rac_signal_idle_timeout().
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: timeoutWith, timeout with another observable. Since: 0.1
@c public func rac_signal_idle_timeout_to(
  _ source: CSignal?, _ seconds: Double, _ other: CSignal?, _ scheduler: CScheduler?
) -> CSignal? {
  if Border.isBrokenChain(source) || Border.isBrokenChain(other) { return nil }
  guard let timing = Border.timing(seconds, scheduler) else { return nil }
  return Border.derive(source, other) { $0.idleTimeout(timing, to: $1) }
}

extension Signal {
  func timeout(_ timing: Timing) -> Signal {
    lift("timeout:onScheduler:") { TimeoutCore.input(timing, isIdle: false, nil, $0) }
  }

  func idleTimeout(_ timing: Timing, to other: Signal?) -> Signal {
    lift("idleTimeout:onScheduler:", besides: other?.depth ?? 0) {
      TimeoutCore.input(timing, isIdle: true, other, $0)
    }
  }
}

private final class TimeoutCore: DynamicCore {
  static let source = 0
  static let other = 1

  private let interval: Int64
  /// Whether a value puts it off.
  private let isIdle: Bool
  private let scheduler: Scheduler
  private let other: Signal?
  /// nil once the time has passed.
  private var source: Scope?
  private var timer: SubmitJob?
  /// When it has been too long. A timer that comes before waits for the rest: so a value costs no
  /// timer.
  private var deadline: Int64 = 0

  private init(_ timing: Timing, _ isIdle: Bool, _ other: Signal?, _ downstream: Sink) {
    interval = timing.nanoseconds
    self.isIdle = isIdle
    scheduler = timing.home
    self.other = other
    super.init(downstream)
  }

  static func input(
    _ timing: Timing, isIdle: Bool, _ other: Signal?, _ downstream: Sink
  ) -> Input {
    let core = TimeoutCore(timing, isIdle, other, downstream)
    let input = Input.only(core, position: TimeoutCore.source)
    core.source = input.scope
    core.putOff()
    core.wait(core.interval)
    return input
  }

  private func putOff() {
    deadline = scheduler.now.saturatingAdd(interval)
  }

  private func wait(_ nanoseconds: Int64) {
    let job = SubmitJob(self, .fire, .null)
    timer = job
    scheduler.schedule(job, after: nanoseconds, in: downstream.scope)
  }

  /// Whether the source had the event on its way when it was disposed.
  private func isLate(_ input: Input?) -> Bool {
    source == nil && input?.position == TimeoutCore.source
  }

  override func next(_ input: Input?, _ value: Value) {
    if isLate(input) { return }
    if isIdle && source != nil { putOff() }
    downstream.next(value)
  }

  override func error(_ input: Input?, _ error: Value) {
    if isLate(input) { return }
    timer.take()?.dispose()
    end(error: error)
  }

  override func completed(_ input: Input?) {
    if isLate(input) { return }
    timer.take()?.dispose()
    endCompleted()
  }

  override func fire(_ value: Value) {
    timer = nil
    let rest = deadline &- scheduler.now
    if rest > 0 { return wait(rest) }
    source.take()?.close()  // before any stage below hears of the error
    guard let other else {
      let message: StaticString =
        isIdle ? "no value in the time given" : "no end in the time given"
      return end(owned: .error("rac.signal", RAC_SIGNAL_TIMED_OUT, message))
    }
    start(other, position: TimeoutCore.other)
  }

  /// A timer that is put off begins another.
  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    !isIdle && super.goesAtEnd(withValue: withValue, &visitor)
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(other) }
}
