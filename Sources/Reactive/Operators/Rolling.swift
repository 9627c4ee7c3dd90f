import CRAC

extension SignalProtocol where Value: FixedWidthInteger {
  /// Sends, for each value, the mean of the last ones, at most `count` of them.
  ///
  ///     source                --1--2--6--7--|
  ///     rollingMean(over: 2)  --1--a--4--b--|   a: 1.5, b: 6.5
  public func rollingMean(over count: Int) -> Signal<Double> {
    map { Double($0) }.rollingMean(over: count)
  }

  /// Sends, for each value, the variance of the last ones, at most `count` of them: that of a
  /// sample.
  ///
  ///     source                    --1--2--6--|
  ///     rollingVariance(over: 2)  --a--b--8--|   a: nan, b: 0.5
  public func rollingVariance(over count: Int) -> Signal<Double> {
    map { Double($0) }.rollingVariance(over: count)
  }

  /// Sends, for each value, the least of the last ones, at most `count` of them.
  ///
  ///     source               --3--1--2--4--|
  ///     rollingMin(over: 2)  --3--1--1--2--|
  public func rollingMin(over count: Int) -> Signal<Double> {
    map { Double($0) }.rollingMin(over: count)
  }

  /// Sends, for each value, the greatest of the last ones, at most `count` of them.
  ///
  ///     source               --3--1--2--4--|
  ///     rollingMax(over: 2)  --3--3--2--4--|
  public func rollingMax(over count: Int) -> Signal<Double> {
    map { Double($0) }.rollingMax(over: count)
  }
}

extension SignalProtocol<Double> {
  /// Sends, for each value, the mean of the last ones, at most `count` of them.
  ///
  ///     source                --1--2--6--7--|
  ///     rollingMean(over: 2)  --1--a--4--b--|   a: 1.5, b: 6.5
  ///
  /// It never subtracts: a value that has left the window leaves no rounding error behind.
  public func rollingMean(over count: Int) -> Signal<Double> {
    rolling(RAC_ROLLING_MEAN, over: count)
  }

  /// Sends, for each value, the variance of the last ones, at most `count` of them: that of a
  /// sample, NaN for a single one.
  ///
  ///     source                    --1--2--6--|
  ///     rollingVariance(over: 2)  --a--b--8--|   a: nan, b: 0.5
  public func rollingVariance(over count: Int) -> Signal<Double> {
    rolling(RAC_ROLLING_VARIANCE, over: count)
  }

  /// Sends, for each value, the least of the last ones, at most `count` of them.
  ///
  ///     source               --3--1--2--4--|
  ///     rollingMin(over: 2)  --3--1--1--2--|
  public func rollingMin(over count: Int) -> Signal<Double> {
    rolling(RAC_ROLLING_MIN, over: count)
  }

  /// Sends, for each value, the greatest of the last ones, at most `count` of them.
  ///
  ///     source               --3--1--2--4--|
  ///     rollingMax(over: 2)  --3--3--2--4--|
  public func rollingMax(over count: Int) -> Signal<Double> {
    rolling(RAC_ROLLING_MAX, over: count)
  }

  private func rolling(_ statistic: Int32, over count: Int) -> Signal<Double> {
    derive { rac_signal_rolling($0, statistic, notNegative(count), .infinity, nil) }
  }
}
