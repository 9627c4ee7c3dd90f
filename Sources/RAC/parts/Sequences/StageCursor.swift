/// The operators that sequences share with signals: every one with a single input.
///
/// Such an operator is a stage that is sent values. Here the stage stands between a place in a
/// sequence and a tap: as long as nothing has come out of the tap, it is sent one more value.
final class StageCursor: Cursor {
  private var walk: Walk
  private let stage: Sink
  private let tap: Tap
  private var sourceHasEnded = false

  /// The operation is what the operator made of the entrance.
  fileprivate init(_ source: ValueSequence, _ entrance: Entrance, _ operation: Signal) {
    walk = Walk(source)
    tap = Tap()
    operation.subscribe(tap)
    stage = entrance.sink ?? tap
  }

  override func next() -> ReadResult {
    while true {
      if let value = tap.line.popFirst() { return .value(value) }
      if tap.hasEnded { return tap.failure.map { .failed($0.retained()) } ?? .end }
      if sourceHasEnded { return .end }
      switch walk.next() {
      case .value(let value):
        asCallback { stage.next(value) }
        value.release()
      case .end:
        sourceHasEnded = true
        asCallback { stage.completed() }
      case .failed(let error):
        sourceHasEnded = true
        asCallback { stage.error(error) }
        error.release()
      case .refused(let status): return .refused(status)
      }
    }
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(walk.at)
    visitor.reference(stage)
    visitor.reference(tap)
  }
}

/// A signal in name only: it says where what is sent to it would go.
private final class Entrance: Signal {
  private(set) var sink: Sink?

  override func attach(_ sink: Sink) { self.sink = sink }
}

/// Keeps what comes out of a stage.
private final class Tap: Sink {
  var line = ValueLine()
  private(set) var hasEnded = false
  private(set) var failure: Value?

  init() { super.init(scope: Scope()) }

  deinit { failure?.release() }

  override func next(_ value: Value) {
    if !hasEnded { line.append(value.retained()) }
  }

  override func error(_ error: Value) {
    if hasEnded { return }
    failure = error.retained()
    completed()
  }

  override func completed() {
    hasEnded = true
    scope.close()
  }

  override func visit(_ visitor: inout Visitor) { line.visit(&visitor) }
}

extension ValueSequence {
  /// This sequence through an operator of signals with one input.
  @inline(__always)
  func through(_ operation: (Signal) -> Signal) -> ValueSequence {
    let entrance = Entrance()
    return through(entrance, operation(entrance))
  }

  @inline(never)
  private func through(_ entrance: Entrance, _ operation: Signal) -> ValueSequence {
    LazySequence(StageCursor(self, entrance, operation), depth: depth &+ 1)
  }

  /// Nothing is computed for no values.
  func take(_ count: Int) -> ValueSequence {
    count == 0 ? EmptySequence() : through { $0.take(count) }
  }
}
