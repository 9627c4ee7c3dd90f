import CRAC

/// Whose hours the clock on the wall shows.
public enum ClockZone: Int32, Sendable {
  /// Greenwich's.
  case utc = 0
  /// The process's, by its time zone (TZ).
  case local = 1
}

extension Signal<Duration> {
  /// Sends once, at a time of the clock on the wall, and completes.
  ///
  ///     time 5         at once
  ///     wallClock(at:) -----5|
  ///
  /// By the system's clock: when somebody sets that, or the machine has slept, the time comes
  /// sooner or later. A time that has passed comes at once.
  ///
  ///     Signal.wallClock(at: .seconds(date.timeIntervalSince1970))
  ///
  /// - Parameters:
  ///   - time: since 1970-01-01 00:00 UTC.
  ///   - scheduler: where it sends; not the immediate one, nor a virtual one.
  public static func wallClock(
    at time: Duration, on scheduler: Scheduler = .main
  ) -> Signal<Duration> {
    withExtendedLifetime(scheduler) {
      converting(rac_signal_at_time(Swift.max(time.seconds, 0), scheduler.pointer), sinceEpoch)
    }
  }

  /// Sends the times of the clock on the wall that are a multiple of an interval, for ever: every
  /// full hour, every day at three.
  ///
  ///     clock               00:10--01:00--02:00--03:00
  ///     every .seconds(3600)  -------1------2------3----
  ///
  /// When the clock is set, or the machine has slept, the next one is by the clock as it is then:
  /// those that were missed are left out. In local time, a time within an hour that is left out
  /// comes that much later; a time within an hour that comes twice comes the first time.
  ///
  ///     // daily at three
  ///     Signal.wallClock(every: .seconds(86_400), offset: .seconds(3 * 3600), in: .local)
  ///
  /// - Parameters:
  ///   - interval: greater than zero, at most a hundred years.
  ///   - offset: added to the multiple, less than the interval.
  ///   - zone: whose hours are counted.
  ///   - scheduler: where it sends; not the immediate one, nor a virtual one.
  /// - Returns: a signal of times since 1970-01-01 00:00 UTC.
  public static func wallClock(
    every interval: Duration, offset: Duration = .zero, in zone: ClockZone = .utc,
    on scheduler: Scheduler = .main
  ) -> Signal<Duration> {
    withExtendedLifetime(scheduler) {
      converting(
        rac_signal_at_times(interval.seconds, offset.seconds, zone.rawValue, scheduler.pointer),
        sinceEpoch)
    }
  }
}

@Sendable
private func sinceEpoch(_ value: rac_value) throws -> Duration {
  Duration(seconds: try decoded(value))
}
