import CRAC

extension SignalProtocol {
  /// Sends a value, then at most one in each interval: with `latest` the latest that came in it,
  /// else none of those that follow within the interval.
  ///
  ///     source            --1-2-3-----4------5--|
  ///     throttle(for: 5)  --1----3----4------5--|
  ///
  ///     source                           --1-2-3-----4-5--|
  ///     throttle(for: 5, latest: false)  --1---------4----|
  ///
  /// With `latest` the last value is always sent, at most that time late; a completion sends the
  /// one that waits at once, an error drops it. RAC's `-throttle:` is `debounce`.
  ///
  /// Rx: throttleLatest, throttleFirst.
  public func throttle(
    for interval: Duration, latest: Bool = true, on scheduler: Scheduler? = nil
  ) -> Signal<Value> {
    derive(on: scheduler) {
      latest
        ? rac_signal_throttle_latest($0, interval.seconds, $1)
        : rac_signal_throttle_first($0, interval.seconds, $1)
    }
  }

  /// Waits for some time when a value comes, and then sends the latest one.
  ///
  ///     source         --1-2-3-----4--|
  ///     audit(for: 5)  -------3-------(4|)
  ///
  /// `throttle` without the first value, and so without a pause from one time to the next. Rx:
  /// auditTime.
  public func audit(for interval: Duration, on scheduler: Scheduler? = nil) -> Signal<Value> {
    derive(on: scheduler) { rac_signal_audit($0, interval.seconds, $1) }
  }

  /// Waits, when a value comes, for the signal that `sign` makes of it, and then sends the latest
  /// value.
  ///
  ///     source       --1-2-3-----4----5--|
  ///     x -> -----x  -------3---------5--|
  ///
  /// A value of the signal, or its completion, is the sign. A completion of the source sends the
  /// value that waits at once; an error, also of that signal, drops it. Rx: audit.
  @inlinable
  public func audit<S: SignalProtocol>(
    until sign: @escaping @Sendable (Value) throws -> S
  ) -> Signal<Value> {
    derive {
      rac_signal_audit_until($0, flattening(sign).passed, SignalContext.call, SignalContext.release)
    }
  }
}
