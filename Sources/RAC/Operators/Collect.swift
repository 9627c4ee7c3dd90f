extension Signal {
  /// Sends a tuple of all values when the source completes. C: rac_signal_collect. RAC: -collect
  func collect() -> Signal { lift("collect") { CollectSink($0) } }
}

private final class CollectSink: Stage {
  private var values: [Value] = []

  override func next(_ value: Value) { values.append(value.retained()) }

  override func completed() {
    let tuple = values.withUnsafeBufferPointer { Value.tuple($0) }
    guard let tuple else {
      let error = Value.error("rac", Status.noMemory, "not enough memory to collect the values")
      downstream.error(error)
      return error.release()
    }
    downstream.next(tuple)
    tuple.release()
    downstream.completed()
  }

  deinit { for value in values { value.release() } }
}
