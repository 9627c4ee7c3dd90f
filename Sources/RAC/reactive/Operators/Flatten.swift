import CRACShims

/// Sends the values of the signals that the source sends; at most `max_concurrent` run at a time,
/// the others wait.
///
///     source    --a--b--|
///     a           -1--3--|
///     b              --4--5--|
///     flatten 0 ---1--34--5--|
///     flatten 1 ---1--3----4--5--|
///
/// Completes when the source and all of them have. nil counts as an empty signal; any other value
/// that is no signal ends the stream with an error. The signals that wait are kept: a subject that
/// one of them comes from keeps its own subscription here, until that is disposed or completed.
///
/// - Parameter source: borrowed; a signal of signals.
/// - Parameter max_concurrent: 0 for no limit; 1 sends one after the other.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -flatten:. Rx: mergeAll. Since: 0.1
@c public func rac_signal_flatten(_ source: CSignal?, _ max_concurrent: CSize) -> CSignal? {
  Border.derive(source) { $0.flatten(Border.count(max_concurrent)) }
}

/// rac_signal_flatten() where at most so many signals wait as a bound says.
///
///     source             --a-b-c--|
///     a                    -1----|
///     b                          -2|
///     c                          -3|
///     capacity 1, oldest ---1-----3|
///     capacity 1, newest ---1-----2|
///
/// The bound counts signals, not their values; with no limit to how many run none waits.
/// RAC_BOUND_ERROR ends the stream at once and drops the waiting signals. RAC_BOUND_WAIT and
/// RAC_BOUND_REFUSE hold back sources that can wait, and the senders of a subject, or of a
/// rac_signal_create_bounded(), that has the same bound; signals that get here all the same are
/// taken.
///
/// - Parameter source: borrowed; a signal of signals.
/// - Parameter max_concurrent: 0 for no limit; 1 sends one after the other.
/// - Parameter bound: borrowed, retained. NULL: only sources that can wait are held, at a mark; see
///   rac_set_default_marks(). RAC_BOUND_NONE: any number waits.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND; RAC_EBUSY when the bound
///   is in use elsewhere.
///
/// Rx: mergeAll with onBackpressureBuffer, onBackpressureDrop, onBackpressureLatest. Since: 0.1
@c public func rac_signal_flatten_bounded(
  _ source: CSignal?, _ max_concurrent: CSize, _ bound: CBound?
) -> CSignal? {
  Border.derive(source, below: bound) {
    $0.flatten(Border.count(max_concurrent), $1, isMarked: bound == nil)
  }
}

extension Signal {
  func flatten(_ limit: Int = 0, _ bound: Bound? = nil, isMarked: Bool = true) -> Signal {
    lift("flatten:") {
      // Without a limit none waits.
      let queue = limit == 0 ? nil : bound.map { BoundedQueue($0) }
      let core = FlattenCore(limit, queue, $0, isMarked: isMarked && limit > 0 && Mark.isOn)
      let outer = Input(core, position: FlattenCore.outer)
      return queue.map { WaitingSignals($0, core, outer) } ?? outer
    }
  }
}

private final class FlattenCore: DynamicCore {
  static let outer = 0

  private let limit: Int
  /// Inner signals subscribed to or about to be.
  @exclusivity(unchecked) private var running = 0
  @exclusivity(unchecked) private var outerIsDone = false
  /// Signals beyond the limit, …
  @exclusivity(unchecked) private var line = Fifo<Signal>()
  private let isMarked: Bool
  /// Of that line, changed inside the gate.
  private let brake = Brake(.flatten)
  /// … or all signals, where there is a bound: see WaitingSignals.
  private let queue: BoundedQueue?

  init(_ limit: Int, _ queue: BoundedQueue?, _ downstream: Sink, isMarked: Bool) {
    self.limit = limit
    self.queue = queue
    self.isMarked = isMarked
    super.init(downstream)
    if let queue { downstream.scope.add(queue) }
  }

  override func next(_ input: Input?, _ value: Value) {
    if input?.position != FlattenCore.outer { return downstream.next(value) }
    if value.isNull { return }
    guard let signal = value.lentSignal else { return failWithoutSignal(value) }
    if limit == 0 || running < limit { return signal._withUnsafeGuaranteedRef { begin($0) } }
    signal._withUnsafeGuaranteedRef { line.append($0) }
    if rac_recording_is_on() { recordLine(grows: true) }
    if isMarked, line.count >= Mark.signals { brake.putOn(line.count) }
  }

  override func holds(at input: Input?, _ question: Question) -> Bool {
    if input?.position == FlattenCore.outer {
      if let queue {
        if queue.holds(question) { return true }
      } else if isMarked, brake.holds(question) {
        return true
      }
    }
    return downstream.holds(question)
  }

  @inline(never)
  private func recordLine(grows: Bool) {
    let node = downstream.recordedBelow.node
    if node.number == 0 { return }
    if grows { rac_node_queues(currentThread(), node) } else { rac_node_dequeues(node) }
  }

  private func nextSignal() -> Signal? {
    guard let queue else {
      let next = line.popFirst()
      if next != nil, rac_recording_is_on() { recordLine(grows: false) }
      brake.tell(line.count, ofHalf: Mark.signals / 2).resume()
      return next
    }
    guard let event = queue.take() else { return nil }
    let signal = event.value.asSignal
    event.value.release()
    return signal
  }

  override func completed(_ input: Input?) {
    if input?.position != FlattenCore.outer { running &-= 1 } else { outerIsDone = true }
    if running < limit { beginWaiting() }
    if outerIsDone && running == 0 { endCompleted() }
  }

  /// An end makes room for a signal that waits.
  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    line.isEmpty && queue?.waiting ?? 0 == 0
      && super.goesAtEnd(withValue: withValue, &visitor)
  }

  /// There is something in the queue.
  override func fire(_ value: Value) { beginWaiting() }

  private func beginWaiting() {
    // One after the other: a signal of one value is through as soon as it has begun.
    while running < limit, !hasEnded, let signal = nextSignal() { begin(signal) }
  }

  @inline(never)
  private func begin(_ signal: Signal) {
    // A signal that is known to be through as soon as it has begun needs no subscription.
    if !signal.beginsDirectly {
      switch signal.known {
      case .nothing: break
      case .end: if SubscriptionScheduler.runsInline { return }
      case .value(let value): if SubscriptionScheduler.runsInline { return downstream.next(value) }
      }
    }
    running &+= 1
    startInner(signal)
  }
}

/// Puts the signals of the source into the queue before they come to the gate: while that is taken,
/// by a value that is being delivered, they would wait there, where they are neither counted nor
/// dropped.
private final class WaitingSignals: Stage {
  private let queue: BoundedQueue
  private let core: FlattenCore

  init(_ queue: BoundedQueue, _ core: FlattenCore, _ outer: Input) {
    self.queue = queue
    self.core = core
    super.init(outer)
  }

  override func next(_ value: Value) {
    guard scope.isActive, !value.isNull else { return }
    // The core refuses values that are no signals.
    if value.lentSignal == nil { return downstream.next(value) }
    switch queue.put(value) {
    case .kept(let wakes): if wakes { core.submitRarely(.fire) }
    case .dropped: break
    case .failed(let error): self.error(owned: error)
    }
  }

  override func keeps(_ object: Object, toTheEnd: Bool) -> Bool {
    if toTheEnd { return super.keeps(object, toTheEnd: true) }
    core.keep(object)
    return true
  }

  override var sendsAtEnd: Bool { false }

  override func visit(_ visitor: inout Visitor) { visitor.reference(core) }
}
