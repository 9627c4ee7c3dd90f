import CRAC

extension SignalProtocol {
  /// Sends at most one value in a time, after a pause some at once; those that are too many wait,
  /// or are dropped where too many wait.
  ///
  ///     source                           --(1234)------5--|
  ///     rateLimit(every: 4 s, burst: 2)  --(12)3---4---5--|
  ///     …, buffering: 0                  --(12)--------5--|
  ///
  /// A bucket holds `burst` tokens, and is full at first; a value takes one, and one comes back
  /// every `interval`. A completion comes behind what waits; an error drops it.
  ///
  /// - Parameters:
  ///   - interval: the time that one value takes.
  ///   - burst: how many may come at once after a pause.
  ///   - capacity: how many may wait; nil is without limit.
  ///   - scheduler: whose clock it is; nil is that on which it is observed.
  public func rateLimit(
    every interval: Duration, burst: Int = 1, buffering capacity: Int? = nil,
    on scheduler: Scheduler? = nil
  ) -> Signal<Value> {
    derive(on: scheduler) {
      rac_signal_rate_limit(
        $0, interval.seconds, notNegative(burst),
        capacity.map { notNegative($0) } ?? .max, $1)
    }
  }
}
