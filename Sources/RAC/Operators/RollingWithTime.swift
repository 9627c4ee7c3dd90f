/// Sends, for each number, the mean of those that came in the last seconds: a double.
///
///     source                   --1--2-----6--7--|
///     rolling_mean_with_time 8 --1-1.5----4-6.5-|
///
/// rac_signal_rolling_mean() of a window that is a time: a number has left it when so many seconds
/// have passed since it came, so the latest is always in it. Nothing is sent when one leaves; with
/// no number for long there is none to tell of. 24 bytes are kept for each number in the window.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: greater than 0.
/// - Parameter scheduler: borrowed, retained; whose clock it is: for a virtual scheduler its own
///   time, else a monotonic clock. NULL: that of the scheduler which is current when the number
///   arrives.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@_cdecl("rac_signal_rolling_mean_with_time")
public func rac_signal_rolling_mean_with_time(
  _ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?
) -> CSignal? {
  rolling(source, seconds, scheduler, .mean, "rac_signal_rolling_mean_with_time")
}

/// Sends, for each number, the variance of those that came in the last seconds.
///
///     source                       --1--2-----6----|
///     rolling_variance_with_time 8 -NaN-0.5---8----|
///
/// As rac_signal_rolling_variance(), with the window of rac_signal_rolling_mean_with_time().
///
/// - Parameter source: borrowed.
/// - Parameter seconds: greater than 0.
/// - Parameter scheduler: as for rac_signal_rolling_mean_with_time().
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@_cdecl("rac_signal_rolling_variance_with_time")
public func rac_signal_rolling_variance_with_time(
  _ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?
) -> CSignal? {
  rolling(source, seconds, scheduler, .variance, "rac_signal_rolling_variance_with_time")
}

/// Sends, for each number, the least of those that came in the last seconds: a double.
///
///     source                  --3--1-----2--4--|
///     rolling_min_with_time 8 --3--1-----1--2--|
///
/// As rac_signal_rolling_min(), with the window of rac_signal_rolling_mean_with_time().
///
/// - Parameter source: borrowed.
/// - Parameter seconds: greater than 0.
/// - Parameter scheduler: as for rac_signal_rolling_mean_with_time().
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@_cdecl("rac_signal_rolling_min_with_time")
public func rac_signal_rolling_min_with_time(
  _ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?
) -> CSignal? {
  rolling(source, seconds, scheduler, .min, "rac_signal_rolling_min_with_time")
}

/// Sends, for each number, the greatest of those that came in the last seconds: a double.
///
///     source                  --3--1-----2--4--|
///     rolling_max_with_time 8 --3--3-----2--4--|
///
/// As rac_signal_rolling_max(), with the window of rac_signal_rolling_mean_with_time().
///
/// - Parameter source: borrowed.
/// - Parameter seconds: greater than 0.
/// - Parameter scheduler: as for rac_signal_rolling_mean_with_time().
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@_cdecl("rac_signal_rolling_max_with_time")
public func rac_signal_rolling_max_with_time(
  _ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?
) -> CSignal? {
  rolling(source, seconds, scheduler, .max, "rac_signal_rolling_max_with_time")
}

@inline(never)
private func rolling(
  _ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?, _ statistic: Statistic,
  _ function: StaticString
) -> CSignal? {
  if Border.isBrokenChain(source) { return nil }
  guard let time = Border.duration(seconds, function) else { return nil }
  if time == 0 { return Border.fail(Status.invalid, function, "the time is zero") }
  var clock: Scheduler?
  if scheduler != nil {
    clock = Border.scheduler(scheduler, function)
    if clock == nil { return nil }
  }
  return Border.derive(source, function) { $0.rolling(statistic, time, clock) }
}

extension Signal {
  func rolling(_ statistic: Statistic, _ time: Int64, _ clock: Scheduler?) -> Signal {
    lift("rollingWithTime:") { RollingTimeSink(statistic, time, clock, $0) }
  }
}

private final class RollingTimeSink: Stage {
  private let time: Int64
  private let clock: Scheduler?
  private var window: StatisticWindow
  /// When the numbers of the window came.
  private var times = Ring<Int64>()

  init(_ statistic: Statistic, _ time: Int64, _ clock: Scheduler?, _ downstream: Sink) {
    self.time = time
    self.clock = clock
    window = StatisticWindow(statistic)
    super.init(downstream)
  }
  deinit {
    window.deallocate()
    times.deallocate()
  }

  override func next(_ value: Value) {
    guard let number = Number(value) else {
      return fail(Status.kind, "a number was expected, another value was sent")
    }
    let now = clock?.now ?? ArrivalScheduler.now
    while times.count > 0 && now &- times[0] >= time {
      times.dropOldest()
      window.dropOldest()
    }
    guard times.append(now), window.append(number.asDouble) else {
      return refuse(Status.noMemory, "not enough memory for the window")
    }
    downstream.next(.double(window.result))
  }
}
