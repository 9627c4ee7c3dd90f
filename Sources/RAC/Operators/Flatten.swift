/// Sends what the signals send that are sent; at most `max_concurrent` at a time, the others wait.
///
///     source    --a--b--|
///     signal a    -1--3--|
///     signal b       --4--5--|
///     flatten 0 ---1--34-5--|
///     flatten 1 ---1--3---4--5--|
///
/// Completes when the source and all of them have. nil counts as an empty signal; any other value
/// that is no signal ends the stream with an error.
///
/// - Parameter source: borrowed; a signal of signals.
/// - Parameter max_concurrent: 0 for no limit; 1 sends one after the other.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -flatten:. Rx: mergeAll. Since: 0.1
@_cdecl("rac_signal_flatten")
public func rac_signal_flatten(_ source: CSignal?, _ max_concurrent: CSize) -> CSignal? {
  Border.derive(source, "rac_signal_flatten") { $0.flatten(Border.count(max_concurrent)) }
}

extension Signal {
  func flatten(_ limit: Int = 0) -> Signal {
    lift("flatten:") { Input(FlattenCore(limit, $0), position: FlattenCore.outer) }
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
    guard let signal = value.lentSignal else { return failWithoutSignal() }
    signal._withUnsafeGuaranteedRef {
      if limit > 0 && running >= limit { line.append($0) } else { begin($0) }
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
