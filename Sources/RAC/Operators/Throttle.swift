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
    lift("throttle:") { Input(ThrottleCore(nanoseconds, nil, $0)) }
  }

  /// The same for the values that a callback says yes to. Any other drops the one that waits, and is
  /// sent at once.
  ///
  /// ```
  /// source       --1-2--30-4---|
  /// throttle < 9 ---------30-----4|
  /// ```
  /// C: rac_signal_throttle_passing_test. RAC: -throttle:valuesPassingTest:
  func throttle(
    _ nanoseconds: Int64, _ context: Context, _ predicate: @escaping rac_predicate_fn
  ) -> Signal {
    let test = ThrottleTest(context, predicate)
    return lift("throttle:valuesPassingTest:") { Input(ThrottleCore(nanoseconds, test, $0)) }
  }
}

private final class ThrottleTest {
  let context: Context
  let predicate: rac_predicate_fn

  init(_ context: Context, _ predicate: @escaping rac_predicate_fn) {
    self.context = context
    self.predicate = predicate
  }
}

private final class ThrottleCore: CombiningCore {
  private let interval: Int64
  private let test: ThrottleTest?
  private var held: Value?
  private var timer: SubmitJob?
  /// Tells a timer that fired while it was being replaced from the one that is meant.
  private var generation: Int64 = 0
  private var scheduler = ArrivalScheduler()

  init(_ interval: Int64, _ test: ThrottleTest?, _ downstream: Sink) {
    self.interval = interval
    self.test = test
    super.init(downstream)
  }
  deinit { held?.release() }

  override func next(_ input: Input?, _ value: Value) {
    dropHeld()
    if let test {
      guard let isHeld = ask(test, value) else { return }
      if !isHeld { return downstream.next(value) }
    }
    held = value.retained()
    generation &+= 1
    let job = SubmitJob(self, .fire, .int64(generation))
    timer = job
    scheduler.here().schedule(job, after: interval, in: downstream.scope)
  }

  /// nil: nobody listens any more, or the callback failed.
  private func ask(_ test: ThrottleTest, _ value: Value) -> Bool? {
    guard downstream.scope.isActive else { return nil }
    var isHeld = false
    let status = test.predicate(test.context.pointer, value, &isHeld)
    if !Callback.hasFailed(status) { return isHeld }
    let error = Callback.error(from: status)
    end(error: error)
    error.release()
    return nil
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
