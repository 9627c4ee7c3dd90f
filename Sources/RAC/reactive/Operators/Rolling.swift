import CRACShims

/// Sends, for each number, a statistic of the last ones: a double.
///
///     source               --1--2--6--7--|
///     the mean of 2        --1--a--4--b--|   a: 1.5, b: 6.5
///     the greatest in 8 s  --1--2--6--7--|
///
/// A number is in the window if it is one of the last `count` and came less than `seconds` ago; so
/// the latest always is. The window begins with the first number: rac_signal_skip() of `count` - 1
/// leaves out the results of fewer. Nothing is sent when a number leaves.
///
/// Integers and truth values, as 0 or 1, count as doubles; another value is an error, of domain
/// "rac" and code RAC_EKIND. Nothing is ever subtracted, so a number that has left the window
/// leaves no rounding behind, however large it was; a sum keeps twice the digits of a double.
/// While a NaN is in the window every result is NaN. Infinities give the mean that their sum has,
/// NaN for both; the variance is NaN then. A sum beyond all doubles is an infinity.
///
/// The variance is that of a sample: the squares of the distances from the mean, added up and
/// divided by one less than there are (Welford, Chan); so that of one number is NaN.
///
/// No callback is called: arrays sent with rac_subject_send_array() and heard with
/// rac_subscribe_batches() go through it without a call for each value.
///
/// - Parameter source: borrowed.
/// - Parameter statistic: RAC_ROLLING_MEAN, RAC_ROLLING_VARIANCE, RAC_ROLLING_MIN or
///   RAC_ROLLING_MAX.
/// - Parameter count: how many numbers the window holds at most, 1 or more; SIZE_MAX for no limit.
///   16 bytes are kept for each number, 24 where a time is given.
/// - Parameter seconds: how long a number stays, greater than 0; INFINITY for no limit.
/// - Parameter scheduler: borrowed, retained; whose clock counts the seconds: a virtual scheduler's
///   own time, else a monotonic clock. NULL: that of the scheduler which is current when the number
///   arrives.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_rolling(
  _ source: CSignal?, _ statistic: Int32, _ count: CSize, _ seconds: Double,
  _ scheduler: CScheduler?
) -> CSignal? {
  if Border.isBrokenChain(source) { return nil }
  guard let statistic = Statistic(rawValue: statistic) else {
    return Border.fail(Status.invalid, "the statistic is none of RAC_ROLLING_…")
  }
  guard count != 0 else { return Border.fail(Status.invalid, "count is 1 or more") }
  guard let time = Border.duration(seconds) else { return nil }
  if time == 0 { return Border.fail(Status.invalid, "the time is zero") }
  guard let clock = Border.ifGiven(scheduler, Border.scheduler) else { return nil }
  return Border.derive(source) { $0.rolling(statistic, Border.count(count), time, clock) }
}

extension Signal {
  func rolling(_ statistic: Statistic, _ count: Int, _ time: Int64, _ clock: Scheduler?) -> Signal {
    lift("rolling:") { RollingSink(statistic, count, time, clock, $0) }
  }
}

private final class RollingSink: Stage {
  private let limit: Int
  /// How long a number stays; `.max` for ever.
  private let time: Int64
  private let clock: Scheduler?
  private var window: StatisticWindow
  /// When the numbers of the window came; empty where they stay for ever.
  private var times = Ring<Int64>()

  init(
    _ statistic: Statistic, _ count: Int, _ time: Int64, _ clock: Scheduler?, _ downstream: Sink
  ) {
    limit = count
    self.time = time
    self.clock = clock
    window = StatisticWindow(statistic)
    super.init(downstream)
  }
  override func next(_ value: Value) {
    guard let number = Number(value) else {
      return fail(Status.kind, "a number was expected, another value was sent", at: value)
    }
    if window.count == limit { dropOldest() }
    guard time == .max || noteTime(), window.append(number.asDouble) else {
      return refuse(Status.noMemory, "not enough memory for the window")
    }
    downstream.next(.double(window.result))
  }

  private func noteTime() -> Bool {
    let now = clock?.now ?? ArrivalScheduler.now
    while times.count > 0 && now &- times[0] >= time { dropOldest() }
    return times.append(now)
  }

  private func dropOldest() {
    if time != .max { times.dropOldest() }
    window.dropOldest()
  }
}
