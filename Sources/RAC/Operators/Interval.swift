/// A signal that counts: 0, 1, 2, … every `seconds`, the first after `seconds`, for ever.
///
///     interval 3 ---0--1--2--3--
///
/// - Parameter scheduler: borrowed; sends there. Not the immediate one.
/// - Parameter seconds: greater than 0.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: +interval:onScheduler: (which sends dates). Rx: interval. Since: 0.1
@_cdecl("rac_signal_interval")
public func rac_signal_interval(_ scheduler: CScheduler?, _ seconds: Double) -> CSignal? {
  interval(scheduler, seconds, 0, "rac_signal_interval")
}

/// rac_signal_interval() whose values may each be late, so that those of several intervals fall
/// together and wake the processor once.
///
///     interval 3       ---0--1--2--3--
///     with leeway of 1 ---0---1--2---3-
///
/// - Parameter scheduler: borrowed; sends there. Not the immediate one.
/// - Parameter seconds: greater than 0.
/// - Parameter leeway: seconds by which a value may be late, 0 or more. Not used by virtual
///   schedulers, which are exact.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: +interval:onScheduler:withLeeway:. Since: 0.1
@_cdecl("rac_signal_interval_with_leeway")
public func rac_signal_interval_with_leeway(
  _ scheduler: CScheduler?, _ seconds: Double, _ leeway: Double
) -> CSignal? {
  interval(scheduler, seconds, leeway, "rac_signal_interval_with_leeway")
}

private func interval(
  _ scheduler: CScheduler?, _ seconds: Double, _ leeway: Double, _ function: StaticString
) -> CSignal? {
  guard let interval = Border.duration(seconds, function),
    let leeway = Border.duration(leeway, function)
  else { return nil }
  guard interval > 0 else { return Border.fail(Status.invalid, function, "the interval is zero") }
  guard let scheduler = Border.timedScheduler(scheduler, function) else { return nil }
  return Border.give(function) { Signal.interval(interval, leeway: leeway, scheduler) }
}

extension Signal {
  static func interval(_ nanoseconds: Int64, leeway: Int64 = 0, _ scheduler: Scheduler) -> Signal {
    IntervalSignal(nanoseconds, leeway, scheduler).named("interval:onScheduler:")
  }
}

private final class IntervalSignal: Signal {
  private let interval: Int64
  private let leeway: Int64
  private let scheduler: Scheduler

  init(_ interval: Int64, _ leeway: Int64, _ scheduler: Scheduler) {
    self.interval = interval
    self.leeway = leeway
    self.scheduler = scheduler
    super.init()
  }

  override func attach(_ sink: Sink) {
    guard scheduler.isServed(dated: true) else { return sink.failWithoutThread() }
    let ticks = Ticks(sink)
    let context = Context(Unmanaged.passRetained(ticks).toOpaque()) {
      if let ticks = $0 { Unmanaged<Ticks>.fromOpaque(ticks).release() }
    }
    let job = RepeatingJob(scheduler, interval: interval, leeway: leeway, context) {
      if let ticks = $0 { Unmanaged<Ticks>.fromOpaque(ticks).takeUnretainedValue().tick() }
    }
    job.scope = sink.scope
    sink.scope.add(job)
    if !job.start(after: interval) { sink.failWithoutMemory() }
  }
}

private final class Ticks {
  private let sink: Sink
  private var count: Int64 = 0

  init(_ sink: Sink) { self.sink = sink }

  func tick() {
    guard sink.scope.isActive else { return }
    sink.next(.int64(count))
    count &+= 1
  }
}
