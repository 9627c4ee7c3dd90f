import CRAC

extension SignalProtocol {
  /// Sends each value with the time at which it came, by the scheduler's clock.
  ///
  ///     source       --a--b--|
  ///     timestamped  --c--d--|   c: (a,2), d: (b,5)
  ///
  /// Rx: timestamp.
  public func timestamped(on scheduler: Scheduler? = nil) -> Signal<(value: Value, time: Duration)>
  {
    let source = signal
    return withExtendedLifetime(source) {
      serving(scheduler) { pointer in
        converting(rac_signal_timestamp(source.pointer, pointer)) {
          (value: try part(of: $0, 1), time: Duration(seconds: try part(of: $0, 0)))
        }
      }
    }
  }

  /// Sends each value with the time since the one before it, for the first since the beginning.
  ///
  ///     source           --a--b--|
  ///     measureInterval  --c--d--|   c: (a,2), d: (b,3)
  ///
  /// Rx: timeInterval. Combine: measureInterval.
  public func measureInterval(
    on scheduler: Scheduler? = nil
  ) -> Signal<(value: Value, interval: Duration)> {
    let source = signal
    return withExtendedLifetime(source) {
      serving(scheduler) { pointer in
        converting(rac_signal_time_interval(source.pointer, pointer)) {
          (value: try part(of: $0, 1), interval: Duration(seconds: try part(of: $0, 0)))
        }
      }
    }
  }
}
