/// Gathers values, and sends them as a tuple some time after the first of them.
///
///     source --1-2---------3--|
///     buffer ------(1,2)------(3)|
///
/// Nothing is sent when nothing came. A completion sends what has gathered, an error drops it.
///
/// - Parameter source: borrowed.
/// - Parameter seconds: 0 or more.
/// - Parameter scheduler: borrowed, retained; where the time passes. NULL: the one that is current when a
///   value arrives; without one, a background scheduler. Not the immediate one.
/// - Returns: one reference; NULL with RAC_EINVAL, RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -bufferWithTime:onScheduler:. Rx: bufferTime. Since: 0.1
@_cdecl("rac_signal_buffer_with_time")
public func rac_signal_buffer_with_time(
  _ source: CSignal?, _ seconds: Double, _ scheduler: CScheduler?
) -> CSignal? {
  Border.derive(source, seconds, scheduler, "rac_signal_buffer_with_time") {
    $0.buffer($1)
  }
}

extension Signal {
  func buffer(_ timing: Timing) -> Signal {
    lift("bufferWithTime:onScheduler:", on: timing.scheduler, dated: true) {
      Input(BufferCore(timing, $0))
    }
  }
}

private final class BufferCore: CombiningCore {
  private let interval: Int64
  private var scheduler: ArrivalScheduler
  private var line = ValueLine()
  private var timer: SubmitJob?

  init(_ timing: Timing, _ downstream: Sink) {
    interval = timing.nanoseconds
    scheduler = ArrivalScheduler(timing.scheduler)
    super.init(downstream)
  }
  deinit { line.deallocate() }

  override func next(_ input: Input?, _ value: Value) {
    line.append(value.retained())
    guard timer == nil else { return }
    let job = SubmitJob(self, .fire, .null)
    timer = job
    scheduler.here().schedule(job, after: interval, in: downstream.scope)
  }

  override func fire(_ value: Value) {
    timer = nil
    flush()
  }

  override func error(_ input: Input?, _ error: Value) {
    timer.take()?.dispose()
    end(error: error)
  }

  override func completed(_ input: Input?) {
    timer.take()?.dispose()
    flush()
    if !hasEnded { endCompleted() }
  }

  private func flush() {
    if line.count == 0 { return }
    guard let tuple = line.takeTuple() else { return failWithoutMemory() }
    downstream.next(tuple)
    tuple.release()
  }
}
