extension Signal {
  /// Sends 0, 1, 2, … every so often on the scheduler, the first after one interval; never completes.
  /// Each may be late by the leeway. C: rac_signal_interval, rac_signal_interval_with_leeway.
  /// RAC: +interval:onScheduler:, +interval:onScheduler:withLeeway:
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
