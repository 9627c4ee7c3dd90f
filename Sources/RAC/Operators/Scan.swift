extension Signal {
  /// Sends the running result of `reduce`, starting from `start`, which is not sent itself.
  ///
  /// ```
  /// source   --1--2--3--|
  /// scan 0,+ --1--3--6--|
  /// ```
  /// A failing callback ends the stream with an error. C: rac_signal_scan.
  /// RAC: -scanWithStart:reduce:
  @inline(never)
  func scan(_ start: Value, _ context: Context, _ reduce: @escaping rac_reduce_fn) -> Signal {
    let start = OwnedValue(start)
    return lift("scanWithStart:reduce:") { ScanSink(start.value, context, reduce, $0) }
  }

  /// The same with a callback that is told how many values came before.
  /// C: rac_signal_scan_with_index. RAC: -scanWithStart:reduceWithIndex:
  @inline(never)
  func scanWithIndex(_ start: Value, _ context: Context, _ reduce: @escaping rac_reduce_index_fn)
    -> Signal
  {
    let start = OwnedValue(start)
    return lift("scanWithStart:reduceWithIndex:") {
      AccumulatingSink(start.value, context, .indexed(reduce), sendsEach: true, $0)
    }
  }
}

private final class ScanSink: Stage {
  private var running: Value
  private let context: Context
  private let pointer: UnsafeMutableRawPointer?
  private let reduce: rac_reduce_fn

  init(_ start: Value, _ context: Context, _ reduce: @escaping rac_reduce_fn, _ downstream: Sink) {
    running = start.retained()
    self.context = context
    pointer = context.pointer
    self.reduce = reduce
    super.init(downstream)
  }
  deinit { running.release() }

  override func next(_ value: Value) {
    guard scope.isActive, let result = result({ reduce(pointer, running, value, $0) }) else {
      return
    }
    let old = running
    running = result
    old.release()
    downstream.next(result)
  }
}
