extension Signal {
  /// Sends the last result of `reduce` at the completion; `start` itself when there were no values.
  ///
  /// ```
  /// source        --1--2--3--|
  /// aggregate 0,+ -----------6|
  /// ```
  /// An error passes, and the result is dropped. C: rac_signal_aggregate,
  /// rac_signal_aggregate_with_index. RAC: -aggregateWithStart:reduce:,
  /// -aggregateWithStart:reduceWithIndex:
  func aggregate(_ start: Value, _ context: Context, _ reduce: Reducer) -> Signal {
    let start = OwnedValue(start)
    return lift("aggregateWithStart:reduce:") {
      AccumulatingSink(start.value, context, reduce, sendsEach: false, $0)
    }
  }

  /// The same with a start that a callback makes for each subscription.
  /// C: rac_signal_aggregate_with_factory. RAC: -aggregateWithStartFactory:reduce:
  func aggregate(
    from factory: @escaping rac_factory_fn, _ context: Context, _ reduce: @escaping rac_reduce_fn
  ) -> Signal {
    AggregateSignal(self, factory, context, reduce).named("aggregateWithStartFactory:reduce:", self)
  }
}

private final class AggregateSignal: Signal {
  private let source: Signal
  private let factory: rac_factory_fn
  private let context: Context
  private let reduce: rac_reduce_fn

  init(
    _ source: Signal, _ factory: @escaping rac_factory_fn, _ context: Context,
    _ reduce: @escaping rac_reduce_fn
  ) {
    self.source = source
    self.factory = factory
    self.context = context
    self.reduce = reduce
    super.init(depth: source.depth &+ 1)
  }

  deinit {
    if Stack.isTooShort(toTakeApart: depth) { Stack.outlive(source) }
  }

  override func attach(_ sink: Sink) {
    let stage = AccumulatingSink(.null, context, .plain(reduce), sendsEach: false, sink)
    let hasStart = stage.starts(from: factory)
    context.calledBack()
    if hasStart { source.subscribe(stage) }
  }
}
