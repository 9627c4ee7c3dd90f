extension Signal {
  /// Sends what `reduce` makes of each value and the one before; before the first is `start`.
  ///
  /// ```
  /// source            --1--2--4--|
  /// previous 0, a - b --1--1--2--|
  /// ```
  /// The result is not fed back. C: rac_signal_combine_previous.
  /// RAC: -combinePreviousWithStart:reduce:
  @inline(never)
  func combinePrevious(_ start: Value, _ context: Context, _ reduce: @escaping rac_reduce_fn)
    -> Signal
  {
    let start = OwnedValue(start)
    return lift("combinePreviousWithStart:reduce:") {
      CombinePreviousSink(start.value, context, reduce, $0)
    }
  }
}

private final class CombinePreviousSink: Stage {
  private var previous: Value
  private let context: Context
  private let pointer: UnsafeMutableRawPointer?
  private let reduce: rac_reduce_fn

  init(_ start: Value, _ context: Context, _ reduce: @escaping rac_reduce_fn, _ downstream: Sink) {
    previous = start.retained()
    self.context = context
    pointer = context.pointer
    self.reduce = reduce
    super.init(downstream)
  }
  deinit { previous.release() }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    let old = previous
    previous = value.retained()
    send { reduce(pointer, old, value, $0) }
    old.release()
  }
}
