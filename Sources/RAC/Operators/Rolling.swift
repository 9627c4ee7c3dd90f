/// Sends, for each number, the mean of the last ones, at most `count` of them: a double.
///
///     source         --1--2--6--7--|
///     rolling_mean 2 --1-1.5-4-6.5-|
///
/// It begins with the first value; rac_signal_skip() of `count` - 1 leaves those out that are of
/// fewer. Integers and truth values, as 0 or 1, count as doubles; another value is an error, of
/// domain "rac" and code RAC_EKIND. Nothing is ever subtracted, so what has left the window leaves
/// no rounding behind, however large it was; a sum keeps twice the digits of a double. While a NaN
/// is in the window, or both infinities, the mean is NaN; with one infinity, or a sum that is
/// beyond all doubles, it is that infinity.
///
/// No callback is called: arrays sent with rac_subject_send_doubles() and heard with
/// rac_subscribe_batches() go through it without a call for each value.
///
/// - Parameter source: borrowed.
/// - Parameter count: how many values the window has, 1 or more. 16 bytes are kept for each that
///   has come.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@_cdecl("rac_signal_rolling_mean")
public func rac_signal_rolling_mean(_ source: CSignal?, _ count: CSize) -> CSignal? {
  rolling(source, count, .mean, "rac_signal_rolling_mean")
}

/// Sends, for each number, the variance of the last ones, at most `count` of them.
///
///     source             --1--2--6----|
///     rolling_variance 2 -NaN-0.5-8---|
///
/// It is that of a sample: the squares of the distances from the mean, added up, divided by one
/// less than how many there are; so that of a single value is NaN. It is put together from parts of
/// the window (Welford, Chan), as rac_signal_rolling_mean() is. It is NaN while a NaN or an
/// infinity is in the window.
///
/// - Parameter source: borrowed.
/// - Parameter count: how many values the window has, 1 or more.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@_cdecl("rac_signal_rolling_variance")
public func rac_signal_rolling_variance(_ source: CSignal?, _ count: CSize) -> CSignal? {
  rolling(source, count, .variance, "rac_signal_rolling_variance")
}

/// Sends, for each number, the least of the last ones, at most `count` of them: a double.
///
///     source        --3--1--2--4--|
///     rolling_min 2 --3--1--1--2--|
///
/// As rac_signal_rolling_mean(). It is NaN while a NaN is in the window.
///
/// - Parameter source: borrowed.
/// - Parameter count: how many values the window has, 1 or more.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@_cdecl("rac_signal_rolling_min")
public func rac_signal_rolling_min(_ source: CSignal?, _ count: CSize) -> CSignal? {
  rolling(source, count, .min, "rac_signal_rolling_min")
}

/// Sends, for each number, the greatest of the last ones, at most `count` of them: a double.
///
///     source        --3--1--2--4--|
///     rolling_max 2 --3--3--2--4--|
///
/// As rac_signal_rolling_mean(). It is NaN while a NaN is in the window.
///
/// - Parameter source: borrowed.
/// - Parameter count: how many values the window has, 1 or more.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@_cdecl("rac_signal_rolling_max")
public func rac_signal_rolling_max(_ source: CSignal?, _ count: CSize) -> CSignal? {
  rolling(source, count, .max, "rac_signal_rolling_max")
}

@inline(never)
private func rolling(
  _ source: CSignal?, _ count: CSize, _ statistic: Statistic, _ function: StaticString
) -> CSignal? {
  if Border.isBrokenChain(source) { return nil }
  guard count != 0 else { return Border.fail(Status.invalid, function, "count is 1 or more") }
  return Border.derive(source, function) { $0.rolling(statistic, Border.count(count)) }
}

extension Signal {
  func rolling(_ statistic: Statistic, _ count: Int) -> Signal {
    lift("rolling:") { RollingSink(statistic, count, $0) }
  }
}

private final class RollingSink: Stage {
  private let limit: Int
  private var window: StatisticWindow

  init(_ statistic: Statistic, _ count: Int, _ downstream: Sink) {
    limit = count
    window = StatisticWindow(statistic)
    super.init(downstream)
  }
  deinit { window.deallocate() }

  override func next(_ value: Value) {
    guard let number = Number(value) else {
      return fail(Status.kind, "a number was expected, another value was sent")
    }
    if window.count == limit { window.dropOldest() }
    guard window.append(number.asDouble) else {
      return refuse(Status.noMemory, "not enough memory for the window")
    }
    downstream.next(.double(window.result))
  }
}
