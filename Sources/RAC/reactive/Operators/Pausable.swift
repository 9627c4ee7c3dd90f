/// Passes values while the latest value of `running` is true; those that come meanwhile wait, or
/// are dropped.
///
///     source      --1--2--3--4-----5--|
///     running     t-----f------t-------   t: true, f: false
///     capacity 0  --1--2-----------5--|
///     capacity 9  --1--2-------(34)5--|
///
/// Paused until `running` has sent something: a property or a behavior subject does at once. A
/// completion comes behind the waiting values; an error drops them. When `running` completes its
/// last value stays; if that is a pause, the stream completes, because nothing could come any more.
///
/// - Parameter source: borrowed.
/// - Parameter running: borrowed; subscribed to first; sends truth values, or numbers, which are
///   true unless they are 0. Another value ends the stream with an error.
/// - Parameter capacity: how many values wait at most: when one more comes the oldest is dropped.
///   0: none waits. SIZE_MAX: all do, and a source that can wait rests at a mark, see
///   rac_set_default_marks().
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: pausable, pausableBuffered. Since: 0.1
@c public func rac_signal_pausable(_ source: CSignal?, _ running: CSignal?, _ capacity: CSize)
  -> CSignal?
{
  Border.derive(source, running) { source, running in
    Signal.combine("pausable:", [running, source], named: source) {
      PausableCore(Border.count(capacity), $0)
    }
  }
}

private final class PausableCore: CombiningCore {
  private static let running = 0

  private let capacity: Int
  private var isRunning = false
  private var sourceIsDone = false
  private var line: MarkedLine

  init(_ capacity: Int, _ downstream: Sink) {
    self.capacity = capacity
    line = MarkedLine(.pausable, holds: capacity == .max)
    super.init(downstream)
  }

  override func holds(at input: Input?, _ question: Question) -> Bool {
    if input?.position == PausableCore.running { return false }
    return line.holds(question) || downstream.holds(question)
  }

  override func next(_ input: Input?, _ value: Value) {
    if input?.position == PausableCore.running { return steer(value) }
    if isRunning { return downstream.next(value) }
    if capacity == 0 { return }
    if line.count == capacity { line.popFirst()?.release() }
    line.append(value.retained())
  }

  private func steer(_ value: Value) {
    guard let truth = value.truth else {
      return end(
        owned: .error(
          "rac", Status.kind, "a truth value was expected, another value was sent",
          underlying: value))
    }
    isRunning = truth
    if truth { sendAll() }
  }

  private func sendAll() {
    while downstream.scope.isActive, let value = line.popFirst() {
      downstream.next(owned: value)
    }
    if sourceIsDone { endCompleted() }
  }

  override func completed(_ input: Input?) {
    if input?.position == PausableCore.running {
      if !isRunning { endCompleted() }
    } else {
      sourceIsDone = true
      if line.count == 0 { endCompleted() }
    }
  }

  override func visit(_ visitor: inout Visitor) { line.visit(&visitor) }
}
