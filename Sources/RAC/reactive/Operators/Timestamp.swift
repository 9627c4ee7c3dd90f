/// Sends each value with the time at which it came: tuples of the seconds and the value.
///
///     source    --a--b--|
///     timestamp --c--d--|   c: (2,a), d: (5,b)
///
/// - Parameter source: borrowed.
/// - Parameter scheduler: borrowed, retained; whose clock it is: for a virtual scheduler its own
///   time, else the seconds of a monotonic clock. NULL: that of the scheduler which is current when
///   the value arrives.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: timestamp. Since: 0.1
@c public func rac_signal_timestamp(_ source: CSignal?, _ scheduler: CScheduler?) -> CSignal? {
  times(source, scheduler) { source, clock in
    source.lift("timestamp:") { TimeSink(clock, since: false, $0) }
  }
}

/// Sends each value with the time since the one before it, for the first since the subscription:
/// tuples of the seconds and the value.
///
///     source        --a--b--|
///     time_interval --c--d--|   c: (2,a), d: (3,b)
///
/// - Parameter source: borrowed.
/// - Parameter scheduler: borrowed, retained; whose clock it is. NULL: that of the scheduler which
///   is current at the subscription.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: timeInterval. Since: 0.1
@c public func rac_signal_time_interval(_ source: CSignal?, _ scheduler: CScheduler?) -> CSignal? {
  times(source, scheduler) { source, clock in
    source.lift("timeInterval:") { TimeSink(clock, since: true, $0) }
  }
}

private func times(
  _ source: CSignal?, _ scheduler: CScheduler?, _ function: StaticString = #function,
  _ make: (Signal, Scheduler?) -> Signal
) -> CSignal? {
  if Border.isBrokenChain(source) { return nil }
  guard let clock = Border.ifGiven(scheduler, Border.scheduler, function) else { return nil }
  return Border.derive(source, function) { make($0, clock) }
}

private final class TimeSink: Stage {
  private let scheduler: Scheduler?
  /// When the value before came; nil where only the time itself matters.
  private var before: Int64?
  private var pair = ReusedTuple(2)

  init(_ scheduler: Scheduler?, since isInterval: Bool, _ downstream: Sink) {
    self.scheduler = scheduler ?? (isInterval ? Scheduler.current : nil)
    super.init(downstream)
    if isInterval { before = now() }
  }

  private func now() -> Int64 { scheduler?.now ?? ArrivalScheduler.now }

  override func next(_ value: Value) {
    let now = now()
    var time = now
    if let before {
      time = now &- before
      self.before = now
    }
    pair.prepare(keeping: false)
    pair.set(0, .double(Duration.seconds(time)))
    pair.set(1, value.retained())
    downstream.next(pair.value)
  }
}
