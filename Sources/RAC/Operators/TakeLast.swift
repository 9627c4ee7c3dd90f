extension Signal {
  /// Sends the last `count` values when the source completes. An error drops them.
  ///
  /// ```
  /// source     --1--2--3--|
  /// takeLast 2 -----------23|
  /// ```
  /// C: rac_signal_take_last. RAC: -takeLast:
  func takeLast(_ count: Int) -> Signal {
    count == 0
      ? ignoreValues().named("takeLast:", self)
      : lift("takeLast:") { TakeLastSink(count, $0) }
  }
}

private final class TakeLastSink: Stage {
  private let count: Int
  private var line = ValueLine()

  init(_ count: Int, _ downstream: Sink) {
    self.count = count
    super.init(downstream)
  }
  deinit { line.deallocate() }

  override func next(_ value: Value) {
    let oldest = line.count == count ? line.popFirst() : nil
    line.append(value.retained())
    oldest?.release()
  }

  override func completed() {
    while scope.isActive, let value = line.popFirst() {
      downstream.next(value)
      value.release()
    }
    downstream.completed()
  }
}
