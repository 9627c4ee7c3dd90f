extension Signal {
  /// Drops a value that equals the one before it.
  ///
  /// ```
  /// source   --1--1--2--1--|
  /// distinct --1-----2--1--|
  /// ```
  /// C: rac_signal_distinct_until_changed. RAC: -distinctUntilChanged
  func distinctUntilChanged() -> Signal {
    DistinctUntilChangedSignal(self).named("distinctUntilChanged", self)
  }
}

private final class DistinctUntilChangedSignal: DerivedSignal {
  override func attach(_ sink: Sink) { source.subscribe(DistinctUntilChangedSink(sink)) }
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
