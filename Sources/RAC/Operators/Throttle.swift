extension Signal {
  /// Sends a value when no other has followed it for `seconds`: what other libraries call debounce.
  ///
  /// ```
  /// source   --1-2-3-----4--|
  /// throttle ---------3-----4|
  /// ```
  /// The value is sent on the scheduler that was current when it arrived, or on a background one. A
  /// completion sends the waiting value at once; an error drops it. C: rac_signal_throttle.
  /// RAC: -throttle:
  func throttle(_ nanoseconds: Int64) -> Signal {
    lift("throttle:") { Input(ThrottleCore(nanoseconds, $0)) }
  }
}

private final class ThrottleCore: CombiningCore {
  private let interval: Int64
  private var held: Value?
  private var timer: SubmitJob?
  /// Tells a timer that fired while it was being replaced from the one that is meant.
  private var generation: Int64 = 0
  private var scheduler = ArrivalScheduler()

  init(_ interval: Int64, _ downstream: Sink) {
    self.interval = interval
    super.init(downstream)
  }
  deinit { held?.release() }

  override func next(_ input: Input?, _ value: Value) {
    dropHeld()
    held = value.retained()
    generation &+= 1
    let job = SubmitJob(self, .fire, .int64(generation))
    timer = job
    scheduler.here().schedule(job, after: interval, in: downstream.scope)
  }

  override func fire(_ value: Value) {
    if value.bits == generation { sendHeld() }
  }

  override func error(_ input: Input?, _ error: Value) {
    dropHeld()
    end(error: error)
  }

  override func completed(_ input: Input?) {
    sendHeld()
    endCompleted()
  }

  private func sendHeld() {
    guard let value = held.take() else { return }
    timer.take()?.dispose()
    downstream.next(value)
    value.release()
  }

  private func dropHeld() {
    timer.take()?.dispose()
    held.take()?.release()
  }
}
