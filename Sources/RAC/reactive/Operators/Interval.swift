/// A signal that counts: 0, 1, 2, … every `seconds`, the first after `seconds`, for ever.
///
///     interval 3 ---0--1--2--3--
///
/// - Parameter seconds: greater than 0.
/// - Parameter scheduler: borrowed, retained; sends there. NULL: the one that is current at the
///   subscription; without one, a background scheduler. Not the immediate one.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: +interval:onScheduler: (which sends dates). Rx: interval. Since: 0.1
@c public func rac_signal_interval(_ seconds: Double, _ scheduler: CScheduler?) -> CSignal? {
  interval(seconds, 0, scheduler)
}

/// rac_signal_interval() whose values may each be late, so that those of several intervals fall
/// together and wake the processor once.
///
///     interval 3, 1 late ---0--1--2--3--
///
/// - Parameter seconds: greater than 0.
/// - Parameter leeway: seconds by which a value may be late, 0 or more. Not used by virtual
///   schedulers, which are exact.
/// - Parameter scheduler: as for rac_signal_interval().
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: +interval:onScheduler:withLeeway:. Since: 0.1
@c public func rac_signal_interval_with_leeway(
  _ seconds: Double, _ leeway: Double, _ scheduler: CScheduler?
) -> CSignal? {
  interval(seconds, leeway, scheduler)
}

private func interval(
  _ seconds: Double, _ leeway: Double, _ scheduler: CScheduler?,
  _ function: StaticString = #function
) -> CSignal? {
  guard let timing = Border.timing(seconds, scheduler, function),
    let leeway = Border.duration(leeway, function)
  else { return nil }
  guard timing.nanoseconds > 0 else {
    return Border.fail(Status.invalid, "the interval is zero", in: function)
  }
  return Border.give(function) { Signal.interval(timing, leeway: leeway) }
}

extension Signal {
  static func interval(_ timing: Timing, leeway: Int64 = 0) -> Signal {
    IntervalSignal(timing, leeway).named("interval:onScheduler:")
  }
}

private final class IntervalSignal: Signal {
  private let timing: Timing
  private let leeway: Int64

  init(_ timing: Timing, _ leeway: Int64) {
    self.timing = timing
    self.leeway = leeway
  }

  override func attach(_ sink: Sink) {
    let scheduler = timing.home
    let ticks = Ticks(sink)
    let context = Context(Unmanaged.passRetained(ticks).toOpaque()) {
      if let ticks = $0 { Unmanaged<Ticks>.fromOpaque(ticks).release() }
    }
    let job = RepeatingJob(scheduler, interval: timing.nanoseconds, leeway: leeway, context) {
      if let ticks = $0 { Unmanaged<Ticks>.fromOpaque(ticks).takeUnretainedValue().tick() }
    }
    job.scope = sink.scope
    sink.scope.add(job)
    job.start(after: timing.nanoseconds)
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
