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
    ThrottleSignal(self, nanoseconds).named("throttle:", self)
  }
}

private final class ThrottleSignal: DerivedSignal {
  private let interval: Int64

  init(_ source: Signal, _ interval: Int64) {
    self.interval = interval
    super.init(source)
  }

  override func attach(_ sink: Sink) {
    source.subscribe(Input(ThrottleCore(interval, sink)))
  }
}

private final class ThrottleCore: CombiningCore {
  private let interval: Int64
  private var held: Value?
  private var timer: SubmitJob?
  /// Tells a timer that fired while it was being replaced from the one that is meant.
  private var generation: Int64 = 0
  private var spare: Scheduler?

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
    scheduler.schedule(job, after: interval, in: downstream.scope)
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

  private var scheduler: Scheduler {
    if let current = Scheduler.current { return current }
    if let spare { return spare }
    let fresh = BackgroundScheduler(priority: 0, name: nil)
    spare = fresh
    return fresh
  }
}
