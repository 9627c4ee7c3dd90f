import CRAC

extension Signal<Int> {
  /// Counts: 0, 1, 2, … every `interval`, the first after one, for ever.
  ///
  ///     interval(3)  ---0--1--2--3--
  ///
  /// - Parameters:
  ///   - interval: from one number to the next.
  ///   - tolerance: how late it may come, so that several wake-ups can be one.
  ///   - scheduler: where it counts; nil is that on which it is observed.
  ///
  /// RAC: +interval:onScheduler:withLeeway:.
  public static func interval(
    _ interval: Duration, tolerance: Duration = .zero, on scheduler: Scheduler? = nil
  ) -> Signal<Int> {
    serving(scheduler) {
      Signal(
        adopting: rac_signal_interval_with_leeway(interval.seconds, tolerance.seconds, $0))
    }
  }
}
