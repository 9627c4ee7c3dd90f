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
    combine("merge:", signals) { MergeCore(signals.count, $0) }
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
