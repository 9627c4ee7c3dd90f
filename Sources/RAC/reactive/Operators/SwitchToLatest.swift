/// Sends what the latest signal sends that was sent.
///
///     source -a-----b--|
///     a       -1--2--3
///     b             --7--8|
///     switch --1--2---7--8|
///
/// Completes when the source and the latest signal have. nil counts as an empty signal. The new
/// signal is subscribed to before the old one is disposed.
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -switchToLatest. Rx: switchAll. Since: 0.1
@c public func rac_signal_switch_to_latest(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { $0.switchToLatest() }
}

extension Signal {
  func switchToLatest() -> Signal {
    lift("switchToLatest") { Input.only(SwitchCore($0), position: SwitchCore.outer) }
  }
}

private final class SwitchCore: DynamicCore {
  static let outer = 0
  static let inner = 1

  @exclusivity(unchecked) private var latestScope: Scope?
  @exclusivity(unchecked) private var outerIsDone = false

  override func next(_ input: Input?, _ value: Value) {
    if let input, input.position == SwitchCore.inner {
      if isLatest(input) { downstream.next(value) }
      return
    }
    let before = latestScope.take()
    guard !value.isNull else {
      before?.close()
      return
    }
    guard let signal = value.lentSignal else { return failWithoutSignal(value) }
    signal._withUnsafeGuaranteedRef { begin($0, replacing: before) }
  }

  /// A function by itself: passing on a value of an inner signal should take little stack.
  private func begin(_ signal: Signal, replacing before: Scope?) {
    let input = Input(self, position: SwitchCore.inner)
    latestScope = input.scope
    start(signal, input, replacing: before)
  }

  override func error(_ input: Input?, _ error: Value) {
    if let input, input.position == SwitchCore.inner, !isLatest(input) { return }
    end(error: error)
  }

  override func completed(_ input: Input?) {
    if let input, input.position == SwitchCore.inner {
      guard isLatest(input) else { return }
      latestScope = nil
    } else {
      outerIsDone = true
    }
    if outerIsDone && latestScope == nil { endCompleted() }
  }

  /// Judged when the event is applied: an event of an older signal may have waited in the gate.
  private func isLatest(_ input: Input) -> Bool {
    latestScope === input.scope
  }
}
