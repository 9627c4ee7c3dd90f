extension Signal {
  /// Sends a tuple of all values when the source completes. C: rac_signal_collect. RAC: -collect
  func collect() -> Signal { lift("collect") { CollectSink($0) } }
}

private final class CollectSink: Stage {
  private var values = ValueLine()
  private var hasFailed = false

  override func next(_ value: Value) {
    if hasFailed { return }
    if values.makeRoom() { values.append(value.retained()) } else { giveUp() }
  }

  override func completed() {
    if hasFailed { return }
    guard let tuple = values.takeTuple() else { return giveUp() }
    downstream.next(tuple)
    tuple.release()
    downstream.completed()
  }

  private func giveUp() {
    hasFailed = true
    values.deallocate()
    refuse(Status.noMemory, "not enough memory to gather the values")
  }

  deinit { values.deallocate() }
}
