extension Signal {
  /// Passes the first `count` values, then completes without waiting for the source.
  ///
  /// ```
  /// source --1--2--3--|
  /// take 2 --1--2|
  /// ```
  /// `take(0)` completes without subscribing. Values that arrive during the delivery of the last one
  /// are dropped. C: rac_signal_take. RAC: -take:
  @inline(never)
  func take(_ count: Int) -> Signal {
    count == 0 ? EmptySignal().named("take:", self) : lift("take:") { TakeSink(count, $0) }
  }

  /// Drops the first `count` values. C: rac_signal_skip. RAC: -skip:
  @inline(never)
  func skip(_ count: Int) -> Signal { lift("skip:") { SkipSink(count, $0) } }
}

private final class TakeSink: Stage {
  private var left: Int

  init(_ count: Int, _ downstream: Sink) {
    left = count
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard left > 0 else { return }
    left &-= 1
    downstream.next(value)
    if left == 0 { downstream.completed() }
  }

  override func error(_ error: Value) {
    if left > 0 { downstream.error(error) }
  }

  override func completed() {
    if left > 0 { downstream.completed() }
  }
}

private final class SkipSink: Stage {
  private var left: Int

  init(_ count: Int, _ downstream: Sink) {
    left = count
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if left > 0 { left &-= 1 } else { downstream.next(value) }
  }
}
