extension Signal {
  /// Drops a value that equals the one before it.
  ///
  /// ```
  /// source   --1--1--2--1--|
  /// distinct --1-----2--1--|
  /// ```
  /// C: rac_signal_distinct_until_changed. RAC: -distinctUntilChanged
  func distinctUntilChanged() -> Signal {
    lift("distinctUntilChanged") { DistinctUntilChangedSink($0) }
  }
}

private final class DistinctUntilChangedSink: Stage {
  private var last: Value?

  override func next(_ value: Value) {
    if let last, last.isEqual(value) { return }
    let old = last
    last = value.retained()
    old?.release()
    downstream.next(value)
  }

  deinit { last?.release() }
}
