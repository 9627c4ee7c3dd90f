extension Signal {
  /// Sends what any of the signals sends, as it comes; completes when all have, fails with the first.
  ///
  /// ```
  /// a     --1-----3--|
  /// b     ----2--|
  /// merge --1-2---3--|
  /// ```
  /// C: rac_signal_merge. RAC: +merge:
  static func merge(_ signals: [Signal]) -> Signal {
    signals.isEmpty ? EmptySignal() : MergeSignal(signals).named("merge:")
  }
}

/// A signal made from several.
class CombinedSignal: Signal {
  final let signals: [Signal]

  init(_ signals: [Signal]) {
    self.signals = signals
    var depth: Int32 = 0
    for signal in signals { depth = max(depth, signal.depth) }
    super.init(depth: depth &+ 1)
  }

  /// Subscribes to all of them, in order, unless the stream ends meanwhile.
  final func subscribe(inputsOf core: CombiningCore) {
    // All inputs are there before the first event comes.
    var inputs: [Input] = []
    var position = 0
    while position < signals.count {
      inputs.append(Input(core, position: position))
      position &+= 1
    }
    position = 0
    while position < signals.count {
      guard inputs[position].scope.isActive else { return }
      signals[position].subscribe(inputs[position])
      position &+= 1
    }
  }
}

private final class MergeSignal: CombinedSignal {
  override func attach(_ sink: Sink) {
    subscribe(inputsOf: MergeCore(signals.count, sink))
  }
}

private final class MergeCore: CombiningCore {
  private var running: Int

  init(_ count: Int, _ downstream: Sink) {
    running = count
    super.init(downstream)
  }

  override func next(_ input: Input?, _ value: Value) { downstream.next(value) }

  override func completed(_ input: Input?) {
    running &-= 1
    if running == 0 { endCompleted() }
  }
}
