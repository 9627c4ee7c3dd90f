extension Signal {
  /// Sends what a callback makes of the elements of each tuple. A value that is no tuple is an error.
  ///
  /// ```
  /// source       --(1,2)--(3,4)--|
  /// reduceEach + --3------7------|
  /// ```
  /// C: rac_signal_reduce_each,
  /// rac_signal_combine_latest_reduce, rac_signal_zip_reduce.
  /// RAC: -reduceEach:, +combineLatest:reduce:, +zip:reduce:
  @inline(never)
  func reduceEach(_ context: Context, _ reduce: @escaping rac_reduce_each_fn) -> Signal {
    lift("reduceEach:") { ReduceEachSink(context, reduce, $0) }
  }
}

private final class ReduceEachSink: Stage {
  private let context: Context
  private let pointer: UnsafeMutableRawPointer?
  private let reduce: rac_reduce_each_fn

  init(_ context: Context, _ reduce: @escaping rac_reduce_each_fn, _ downstream: Sink) {
    self.context = context
    pointer = context.pointer
    self.reduce = reduce
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard value.kind == Value.Kind.tuple else {
      return fail(Status.kind, "a tuple was expected, another value was sent")
    }
    guard scope.isActive else { return }
    let elements = value.elements
    send { reduce(pointer, elements.baseAddress, elements.count, $0) }
  }
}
