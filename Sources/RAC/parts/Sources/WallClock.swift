import CRACShims

/// A signal that sends once, at a time of the clock on the wall.
///
///     time 5  at once
///     at_time -----5|
///
/// By the system's clock, not by a duration: when that clock is set, or the machine has slept, the
/// time comes sooner or later. A time that has passed comes at once.
///
/// - Parameter time: seconds since 1970-01-01 00:00 UTC, 0 or more.
/// - Parameter scheduler: borrowed; sends there. NULL is the main one. Not the immediate one, nor a
///   virtual one.
/// - Returns: one reference; it sends the time, a double, and completes. NULL with RAC_EINVAL,
///   RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_at_time(_ time: Double, _ scheduler: CScheduler?) -> CSignal? {
  guard let time = Border.duration(time) else { return nil }
  guard Border.isReady() else { return nil }
  let times = ClockTimes(interval: 0, offset: time, isLocal: false)
  return Border.source(scheduler, of: nil, 0, "rac_signal_at_time") { _, _ in ClockReader(times) }
}

/// A signal of the times of the clock on the wall that are a multiple of an interval: every full
/// hour, every day at three.
///
///     clock          00:10--01:00--02:00--03:00
///     at_times 3600  -------1------2------3----
///
/// When the system's clock is set, or the machine has slept, the next one is by the clock as it is
/// then: those that were missed are left out, one that was sent is not sent again if the clock went
/// back by less than the interval.
///
/// In local time a day may have 23 or 25 hours. A time within an hour that is left out comes that
/// much later; a time within an hour that comes twice comes the first time.
///
/// - Parameter interval: seconds, greater than 0, at most a hundred years; 86,400 is daily.
/// - Parameter offset: seconds after the multiple, less than the interval; 10,800 is at three.
/// - Parameter zone: RAC_CLOCK_UTC, or RAC_CLOCK_LOCAL by the process's time zone (TZ).
/// - Parameter scheduler: borrowed; sends there. NULL is the main one. Not the immediate one, nor a
///   virtual one.
/// - Returns: one reference; it sends each time, a double, seconds since 1970-01-01 00:00 UTC, and
///   never ends unless there is no descriptor for it. NULL with RAC_EINVAL, RAC_ESTALE or
///   RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_at_times(
  _ interval: Double, _ offset: Double, _ zone: Int32, _ scheduler: CScheduler?
) -> CSignal? {
  guard let interval = Border.duration(interval),
    let offset = Border.duration(offset)
  else { return nil }
  guard interval > 0, interval <= ClockTimes.longest, offset < interval else {
    return Border.fail(
      Status.invalid, "the interval is 0 or too long, or the offset not less than it")
  }
  guard zone == RAC_CLOCK_UTC || zone == RAC_CLOCK_LOCAL else {
    return Border.fail(Status.invalid, "no such clock")
  }
  guard Border.isReady() else { return nil }
  let isLocal = zone == RAC_CLOCK_LOCAL
  let times = ClockTimes(interval: interval, offset: offset, isLocal: isLocal)
  return Border.source(scheduler, of: nil, 0, "rac_signal_at_times") { _, _ in ClockReader(times) }
}

/// Times of the clock on the wall, nanoseconds since 1970.
private struct ClockTimes {
  /// A hundred years: sums of three of these have room.
  static let longest: Int64 = 3_155_760_000_000_000_000
  private static let second: Int64 = 1_000_000_000

  /// 0: once.
  let interval: Int64
  let offset: Int64
  let isLocal: Bool

  /// More than clocks are ever put forward or back for the summer.
  private static let season: Int64 = 4 * 3600 * second

  /// The first one that is later.
  func next(after now: Int64) -> Int64 {
    if interval == 0 { return offset }
    if !isLocal || interval <= ClockTimes.season { return following(now) }
    // The clock may just have been put forward or back: computes the next time from before that.
    var time = now &- ClockTimes.season
    repeat { time = following(time) } while time <= now
    return time
  }

  /// The one that follows by the clocks of that time, and by those of its own.
  private func following(_ now: Int64) -> Int64 {
    let ahead = zone(at: now)
    let shown = now &+ ahead &- offset
    let next = now &- rac_shim_clock_past(shown, interval) &+ interval
    if !isLocal { return next }
    // Summer time begins or ends before that. In an hour that is left out no clock shows the time:
    // it comes when the clock of before would show it.
    let moved = next &+ ahead &- zone(at: next)
    return moved > now && zone(at: moved) == zone(at: next) ? moved : next
  }

  private func zone(at time: Int64) -> Int64 {
    isLocal ? rac_platform_zone(time / ClockTimes.second) &* ClockTimes.second : 0
  }
}

private final class ClockReader: Reader {
  private let times: ClockTimes
  private var due: Int64 = 0
  private var latest = Int64.min

  init(_ times: ClockTimes) { self.times = times }

  override func open() -> Int32 {
    due = times.next(after: rac_shim_clock_now())
    return rac_shim_clock_open(due)
  }

  override func read(_ descriptor: Int32, for source: Source, atMost limit: Int) -> PolledJob.Turn {
    let result = rac_shim_clock_read(descriptor)
    if result < 0 { return source.stopped(Int64(result)) }
    let now = rac_shim_clock_now()
    if due <= now {
      latest = due
      guard source.send(.double(Double(due) / 1e9)) else { return .waits }
      if times.interval == 0 { return source.complete() }
    }
    due = times.next(after: now)
    // Somebody has set the clock back a little.
    if due == latest { due = times.next(after: due) }
    let armed = rac_shim_clock_arm(descriptor, due)
    return armed < 0 ? source.end(0 &- armed) : .waits
  }
}
