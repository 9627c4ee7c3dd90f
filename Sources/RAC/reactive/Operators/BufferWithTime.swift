/// Gathers values, and sends them as a tuple some time after the first of them.
///
///     source   --1-2---------3--|
///     buffer 4 ------a----------(b|)   a: (1,2), b: (3)
///
/// Nothing is sent when nothing came. A completion sends what has gathered, an error drops it.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter scheduler: borrowed, retained; where the time passes. NULL: the one that is current
///   when a value arrives; without one, a background scheduler. Not the immediate one.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -bufferWithTime:onScheduler:. Rx: bufferTime. Since: 0.1
@c public func rac_signal_buffer_with_time(
  _ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?
) -> CSignal? {
  Border.derive(source, seconds, scheduler) { $0.buffer($1) }
}

/// rac_signal_buffer_with_time() whose tuples have at most so many values: a full one is sent at
/// once.
///
///     source       --1-2-3-4-------|
///     5 s, or 3    ------a------b--|   a: (1,2,3), b: (4)
///
/// The time begins anew with the first value of each tuple.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter count: 1 or more.
/// - Parameter scheduler: as for rac_signal_buffer_with_time(). A full tuple comes with its last
///   value.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: bufferTime with maxBufferSize. Since: 0.1
@c public func rac_signal_buffer_with_time_or_count(
  _ source: CSignal?, _ seconds: Double, _ count: CSize, _ scheduler: CScheduler?
) -> CSignal? {
  if Border.isBrokenChain(source) { return nil }
  guard count != 0 else { return Border.fail(Status.invalid, "count is 1 or more") }
  return Border.derive(source, seconds, scheduler) { $0.buffer($1, atMost: Border.count(count)) }
}

extension Signal {
  func buffer(_ timing: Timing, atMost limit: Int = .max) -> Signal {
    lift("bufferWithTime:onScheduler:") { Input.only(BufferCore(timing, limit, $0)) }
  }
}

private final class BufferCore: TimedCore {
  private let limit: Int
  private var line = ValueLine()
  /// Tells a timer whose tuple was full before it came from the one that is meant.
  private var generation: Int64 = 0

  init(_ timing: Timing, _ limit: Int, _ downstream: Sink) {
    self.limit = limit
    super.init(timing, downstream)
  }
  override func next(_ input: Input?, _ value: Value) {
    line.append(value.retained())
    if line.count == limit { return flush() }
    if timer == nil { wait(telling: .int64(generation)) }
  }

  override func fire(_ value: Value) {
    if value.bits == generation { flush() }
  }

  override func completed(_ input: Input?) {
    flush()
    if !hasEnded { endCompleted() }
  }

  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    downstream.goesAtEnd(withValue: true, &visitor)
  }

  private func flush() {
    generation &+= 1
    stopWaiting()
    if line.count == 0 { return }
    guard let tuple = line.takeTuple() else { return failWithoutMemory() }
    downstream.next(owned: tuple)
  }

  override func visit(_ visitor: inout Visitor) { line.visit(&visitor) }
}
