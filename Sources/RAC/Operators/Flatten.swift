extension Signal {
  /// Subscribes to every signal that is sent and sends what they send; at most `limit` at a time, 0 for
  /// no limit, the others wait their turn.
  ///
  /// Completes when the source and all inner signals have. nil counts as an empty signal; any other
  /// value that is no signal is an error. C: rac_signal_flatten. RAC: -flatten:
  func flatten(_ limit: Int = 0) -> Signal {
    lift("flatten:") { Input(FlattenCore(limit, $0), position: FlattenCore.outer) }
  }

  /// Maps each value to a signal and sends what all of them send.
  ///
  /// ```
  /// source           --1-----2--|
  /// flatMap x: -x-x| ---1-1---2-2|
  /// ```
  /// C: rac_signal_flatten_map. RAC: -flattenMap:
  func flattenMap(_ context: Context, _ transform: @escaping rac_signal_fn) -> Signal {
    lift("map:") { SignalMapSink(context, transform, $0) }.flatten().named("flattenMap:", self)
  }

  /// Like flattenMap, and the callback may end the binding. C: rac_signal_bind. RAC: -bind:
  func bind(_ context: Context, _ transform: @escaping rac_bind_fn) -> Signal {
    lift("map:") { BindMapSink(context, transform, $0) }.flatten().named("bind:", self)
  }
}

/// Sends the signals that a callback makes of values.
private final class SignalMapSink: Stage {
  private let context: Context
  private let transform: rac_signal_fn

  init(_ context: Context, _ transform: @escaping rac_signal_fn, _ downstream: Sink) {
    self.context = context
    self.transform = transform
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    switch SignalCallback.call({ transform(context.pointer, value, $0) }) {
    case .signal(let signal):
      downstream.next(.lent(signal))
    case .failure(let error):
      self.error(error)
      error.release()
    }
  }
}

/// The same for bind, whose callback can stop the source.
private final class BindMapSink: Stage {
  private let context: Context
  private let transform: rac_bind_fn
  private var hasStopped = false

  init(_ context: Context, _ transform: @escaping rac_bind_fn, _ downstream: Sink) {
    self.context = context
    self.transform = transform
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard scope.isActive, !hasStopped else { return }
    var stop = false
    var isNull = false
    let result = SignalCallback.call {
      let status = transform(context.pointer, value, &stop, $0)
      isNull = $0.pointee == nil
      return status
    }
    switch result {
    case .signal(let signal):
      // No signal at all ends the binding, as in RAC.
      hasStopped = stop || isNull
      if !isNull { downstream.next(.lent(signal)) }
      if hasStopped { downstream.completed() }
    case .failure(let error):
      hasStopped = true
      downstream.error(error)
      error.release()
    }
  }

  override func error(_ error: Value) {
    if !hasStopped { downstream.error(error) }
  }

  override func completed() {
    if !hasStopped { downstream.completed() }
  }
}

private final class FlattenCore: DynamicCore {
  static let outer = 0
  static let inner = 1

  private let limit: Int
  /// Inner signals subscribed to or about to be.
  private var running = 0
  private var outerIsDone = false
  /// Signals beyond the limit.
  private var line = Fifo<Signal>()

  init(_ limit: Int, _ downstream: Sink) {
    self.limit = limit
    super.init(downstream)
  }

  override func next(_ input: Input?, _ value: Value) {
    if input?.position == FlattenCore.inner { return downstream.next(value) }
    if value.isNull { return }
    guard let signal = value.asSignal else { return failWithoutSignal() }
    if limit > 0 && running >= limit {
      line.append(signal)
    } else {
      begin(signal)
    }
  }

  override func completed(_ input: Input?) {
    if input?.position == FlattenCore.inner { running &-= 1 } else { outerIsDone = true }
    // One after the other: a signal of one value is through as soon as it has begun.
    while running < limit, !hasEnded, let signal = line.popFirst() { begin(signal) }
    if outerIsDone && running == 0 { endCompleted() }
  }

  private func begin(_ signal: Signal) {
    if let value = signal.constant, SubscriptionScheduler.runsInline {
      // A signal of one value needs no subscription.
      return downstream.next(value)
    }
    // A value may come on a thread that has put nothing by, or be one of many.
    guard Reserve.isReady(currentThread(), for: Reserve.forStage) else {
      return failWithoutMemory()
    }
    running &+= 1
    start(signal, Input(self, position: FlattenCore.inner))
  }
}
