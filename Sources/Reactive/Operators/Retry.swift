import CRAC

extension SignalProtocol {
  /// Observes the source again, at once, when it fails; after so many tries more the error is the
  /// signal's.
  ///
  ///     source    --1--#
  ///     retry(2)  --1----1----1--#
  ///
  /// For a pause there is `retry(pausing:)`.
  ///
  /// - Parameter count: nil is for ever.
  ///
  /// RAC: -retry:. Rx: retry.
  public func retry(_ count: Int? = nil) -> Signal<Value> {
    if let count, count <= 0 { return signal }
    return derive { rac_signal_retry($0, count ?? 0) }
  }

  /// Observes the source again when it fails, after a pause that grows from failure to failure.
  ///
  ///     source                           --1--#
  ///     retry(pausing: Backoff(2 s))     --1------1------1---
  ///
  /// A value starts the count anew: the next failure is a first one.
  public func retry(pausing backoff: Backoff, on scheduler: Scheduler? = nil) -> Signal<Value> {
    if let attempts = backoff.attempts, attempts <= 0 { return signal }
    return derive(on: scheduler) {
      rac_signal_retry_with_backoff(
        $0, backoff.first.seconds, backoff.factor, backoff.most.seconds, backoff.jitter,
        backoff.attempts ?? 0, $1)
    }
  }

  /// Observes the source again after an error, when the signal says so that `notifier` makes of the
  /// error and of how many came before it.
  ///
  ///     source    --1--#
  ///     notifier       ---x
  ///     retry     --1-------1---
  ///
  /// The first value of that signal is waited for. When it completes without one, so does the
  /// signal; its error is the signal's. Rx: retryWhen.
  public func retry<S: SignalProtocol>(
    when notifier: @escaping @Sendable (any Error, Int) throws -> S
  ) -> Signal<Value> {
    let context = SignalIndexContext { error, index, out in
      do {
        out.pointee = try notifier(decode(error: error), index).signal.retainedPointer()
        return 0
      } catch {
        return raise(error)
      }
    }
    return derive {
      rac_signal_retry_when(
        $0, context.passed, SignalIndexContext.call, SignalIndexContext.release)
    }
  }
}

/// How long to pause before one more try.
public struct Backoff: Sendable, Hashable {
  /// The pause after the first failure.
  public var first: Duration
  /// By what each further pause is longer than the one before.
  public var factor: Double
  /// No pause is longer.
  public var most: Duration
  /// The part of each pause that is random, from 0 to 1: so that many who wait for the same do not
  /// come back at once.
  public var jitter: Double
  /// After so many failures in a row the error is the signal's; nil is never, 0 or less at once.
  public var attempts: Int?

  /// A pause of `first`, then of `factor` times as much, at most `most`.
  public init(
    _ first: Duration, factor: Double = 2, most: Duration = .seconds(60), jitter: Double = 0,
    attempts: Int? = nil
  ) {
    self.first = first
    self.factor = factor
    self.most = most
    self.jitter = jitter
    self.attempts = attempts
  }
}
