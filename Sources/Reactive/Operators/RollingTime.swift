import CRAC

extension SignalProtocol where Value: FixedWidthInteger {
  /// Sends, for each value, the mean of those of the last seconds.
  ///
  ///     source               --1--2--6--7--|
  ///     rollingMean(for: 8)  --1--a--3--5--|   a: 1.5
  ///
  /// Of those that came less than `time` ago, that is; nothing is sent when one leaves. The clock
  /// is the scheduler's, without one that of the scheduler where the value comes.
  public func rollingMean(for time: Duration, on scheduler: Scheduler? = nil) -> Signal<Double> {
    map { Double($0) }.rollingMean(for: time, on: scheduler)
  }

  /// Sends, for each value, the variance of those of the last seconds.
  ///
  ///     source                   --1--2--6--|
  ///     rollingVariance(for: 8)  --a--b--7--|   a: nan, b: 0.5
  ///
  /// That of a sample, NaN for a single one.
  public func rollingVariance(for time: Duration, on scheduler: Scheduler? = nil) -> Signal<Double>
  {
    map { Double($0) }.rollingVariance(for: time, on: scheduler)
  }

  /// Sends, for each value, the least of those of the last seconds.
  ///
  ///     source              --3--1--2--4--|
  ///     rollingMin(for: 8)  --3--1--1--1--|
  public func rollingMin(for time: Duration, on scheduler: Scheduler? = nil) -> Signal<Double> {
    map { Double($0) }.rollingMin(for: time, on: scheduler)
  }

  /// Sends, for each value, the greatest of those of the last seconds.
  ///
  ///     source              --3--1--2--4--|
  ///     rollingMax(for: 8)  --3--3--3--4--|
  public func rollingMax(for time: Duration, on scheduler: Scheduler? = nil) -> Signal<Double> {
    map { Double($0) }.rollingMax(for: time, on: scheduler)
  }
}

extension SignalProtocol<Double> {
  /// Sends, for each value, the mean of those of the last seconds.
  ///
  ///     source               --1--2--6--7--|
  ///     rollingMean(for: 8)  --1--a--3--5--|   a: 1.5
  ///
  /// Of those that came less than `time` ago, that is; nothing is sent when one leaves. The clock
  /// is the scheduler's, without one that of the scheduler where the value comes.
  public func rollingMean(for time: Duration, on scheduler: Scheduler? = nil) -> Signal<Double> {
    rolling(RAC_ROLLING_MEAN, for: time, on: scheduler)
  }

  /// Sends, for each value, the variance of those of the last seconds.
  ///
  ///     source                   --1--2--6--|
  ///     rollingVariance(for: 8)  --a--b--7--|   a: nan, b: 0.5
  ///
  /// That of a sample, NaN for a single one.
  public func rollingVariance(for time: Duration, on scheduler: Scheduler? = nil) -> Signal<Double>
  {
    rolling(RAC_ROLLING_VARIANCE, for: time, on: scheduler)
  }

  /// Sends, for each value, the least of those of the last seconds.
  ///
  ///     source              --3--1--2--4--|
  ///     rollingMin(for: 8)  --3--1--1--1--|
  public func rollingMin(for time: Duration, on scheduler: Scheduler? = nil) -> Signal<Double> {
    rolling(RAC_ROLLING_MIN, for: time, on: scheduler)
  }

  /// Sends, for each value, the greatest of those of the last seconds.
  ///
  ///     source              --3--1--2--4--|
  ///     rollingMax(for: 8)  --3--3--3--4--|
  public func rollingMax(for time: Duration, on scheduler: Scheduler? = nil) -> Signal<Double> {
    rolling(RAC_ROLLING_MAX, for: time, on: scheduler)
  }

  private func rolling(_ statistic: Int32, for time: Duration, on scheduler: Scheduler?)
    -> Signal<Double>
  {
    derive(on: scheduler) { rac_signal_rolling($0, statistic, .max, time.seconds, $1) }
  }
}
