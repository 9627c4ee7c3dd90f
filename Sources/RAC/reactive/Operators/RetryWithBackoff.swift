import CRACShims

/// Subscribes to the source again when it fails, after a pause that grows from failure to failure.
///
///     source              --1--#
///     with a pause of 2 s --1------1------1---
///
/// The pause is `first` after the first failure and `factor` times the one before after each
/// further one, never more than `most`; a part of it, `jitter`, is random, so that many subscribers
/// to one server do not come back at once. A value starts the count anew: the next failure is a
/// first one. Without a pause there is rac_signal_retry().
///
/// - Parameter source: borrowed.
/// - Parameter first: seconds, 0 or more.
/// - Parameter factor: 1 or more.
/// - Parameter most: seconds; `first` or more, and may be INFINITY.
/// - Parameter jitter: 0 to 1: from no pause at all to the full one for 1, the full one for 0.
/// - Parameter attempts: how often in a row at most; then the error goes on. 0 means for ever.
/// - Parameter scheduler: borrowed, retained; where the pause passes and the source is subscribed
///   to again. NULL: the one that is current when the error comes; without one, a background
///   scheduler. Not the immediate one.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: retry with back-off, retryWhen. Since: 0.1
@c public func rac_signal_retry_with_backoff(
  _ source: CSignal?, _ first: Double, _ factor: Double, _ most: Double, _ jitter: Double,
  _ attempts: CSize, _ scheduler: CScheduler?
) -> CSignal? {
  Border.derive(source) { source in
    guard factor >= 1, factor < .infinity, jitter >= 0, jitter <= 1, most >= first else {
      return Border.fail(
        Status.invalid, "factor is 1 or more, jitter 0 to 1, most no less than first")
    }
    guard let timing = Border.timing(first, scheduler) else { return nil }
    let backoff = Backoff(first: first, factor: factor, most: most, jitter: jitter)
    return source.retry(Border.count(attempts), pausing: backoff, on: timing.scheduler)
  }
}

extension Signal {
  func retry(_ attempts: Int, pausing backoff: Backoff, on scheduler: Scheduler?) -> Signal {
    relay("retryWithBackoff:") { BackoffRelay($0, attempts, backoff, scheduler, EmptinessSink($1)) }
  }
}

/// How long to wait; times in seconds.
struct Backoff {
  let first: Double
  let factor: Double
  let most: Double
  let jitter: Double
}

private final class BackoffRelay: RetryRelay {
  private let backoff: Backoff
  private var scheduler: ArrivalScheduler
  /// Right below.
  private var watch: EmptinessSink { unsafeDowncast(downstream, to: EmptinessSink.self) }
  /// The next one, without what is random in it.
  private var pause: Double
  private var random = UInt64(bitPattern: rac_shim_now())

  init(
    _ source: Signal, _ attempts: Int, _ backoff: Backoff, _ scheduler: Scheduler?,
    _ watch: EmptinessSink
  ) {
    self.backoff = backoff
    self.scheduler = ArrivalScheduler(scheduler)
    pause = backoff.first
    super.init(source, attempts, watch)
    // So that two who begin in the same nanosecond differ.
    random ^= UInt64(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())) &<< 32
  }

  override func sourceFailed(_ error: Value) {
    if !watch.isEmpty {
      watch.isEmpty = true
      failures = 0
      pause = backoff.first
    }
    super.sourceFailed(error)
  }

  override func again() {
    let time = pause * (1 - backoff.jitter * chance())
    pause = min(pause * backoff.factor, backoff.most)
    let job = ClosureJob { self.advance() }
    scheduler.here()
      .schedule(job, after: Duration.nanoseconds(time) ?? 0, in: downstream.scope)
  }

  /// From 0 to just below 1. splitmix64 (Steele, Lea, Flood): seeds that are nearly equal differ at
  /// once.
  private func chance() -> Double {
    random &+= 0x9E37_79B9_7F4A_7C15
    var mixed = random
    mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed &>> 31
    return Double(mixed &>> 11) / 0x1p53
  }
}
