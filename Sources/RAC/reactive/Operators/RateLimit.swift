/// Sends at most one value in a time, after a pause some at once; those that are too many wait, or
/// are dropped where too many wait.
///
///     source                 --(1234)------5--|
///     4 s, a burst of 2      --(12)3---4---5--|
///     without room for more  --(12)--------5--|
///
/// A bucket holds `burst` tokens, and is full at first; a value takes one, and one comes back every
/// `seconds`: ten a second are `seconds` of 0.1. With a burst of 1 values are never closer together
/// than that; with a larger one so many may come at once after a pause. A completion comes behind
/// the waiting values; an error drops them.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: the time that one value takes; greater than 0.
/// - Parameter burst: 1 or more.
/// - Parameter capacity: how many values wait at most; one that comes when so many do is dropped.
///   0: none waits. SIZE_MAX: all do, and a source that can wait rests at a mark, see
///   rac_set_default_marks().
/// - Parameter scheduler: borrowed, retained; where the time passes, and what waited is sent. NULL:
///   the one that is current when a value arrives; without one, a background scheduler. Not the
///   immediate one.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: none; a token bucket. Since: 0.1
@c public func rac_signal_rate_limit(
  _ source: CSignal?, _ seconds: Double, _ burst: CSize, _ capacity: CSize,
  _ scheduler: CScheduler?
) -> CSignal? {
  // A bucket that takes longer than a life to fill is never full again: so no time overflows.
  let pause = min(seconds, 4e9 / Double(Border.count(burst)))
  return Border.derive(source) { source in
    guard burst != 0, seconds > 0 else {
      return Border.fail(Status.invalid, "seconds is greater than 0, burst 1 or more")
    }
    guard let timing = Border.timing(pause, scheduler) else { return nil }
    return source.lift("rateLimit:") {
      Input.only(RateLimitCore(timing, Border.count(burst), Border.count(capacity), $0))
    }
  }
}

private final class RateLimitCore: TimedCore {
  private let capacity: Int
  /// For how long the bucket lasts when values come faster than tokens.
  private let reserve: Int64
  /// When the bucket will be full.
  private var fullAt: Int64 = 0
  private var line: MarkedLine
  private var sourceIsDone = false

  init(_ timing: Timing, _ burst: Int, _ capacity: Int, _ downstream: Sink) {
    self.capacity = capacity
    line = MarkedLine(.rateLimit, holds: capacity == .max)
    reserve = Int64(burst &- 1) &* timing.nanoseconds
    super.init(timing, downstream)
  }

  override func holds(at input: Input?, _ question: Question) -> Bool {
    line.holds(question) || downstream.holds(question)
  }

  /// Takes a token, if there is one.
  private func takeToken() -> Bool {
    let now = timing.now
    guard fullAt &- reserve <= now else { return false }
    fullAt = max(fullAt, now) &+ timing.nanoseconds
    return true
  }

  override func next(_ input: Input?, _ value: Value) {
    if line.count == 0 && takeToken() { return downstream.next(value) }
    guard line.count < capacity else { return }
    line.append(value.retained())
    if timer == nil { waitForToken() }
  }

  private func waitForToken() { wait(max(fullAt &- reserve &- scheduler.now, 0)) }

  override func fire(_ value: Value) {
    timer = nil
    while line.count > 0, downstream.scope.isActive, takeToken(), let value = line.popFirst() {
      downstream.next(owned: value)
    }
    if line.count > 0 { waitForToken() } else if sourceIsDone { endCompleted() }
  }

  override func completed(_ input: Input?) {
    sourceIsDone = true
    if line.count == 0 { endCompleted() }
  }

  override func visit(_ visitor: inout Visitor) { line.visit(&visitor) }
}
