extension Signal {
  /// Passes the values for which `predicate` says true.
  ///
  /// ```
  /// source    --1--2--3--4--|
  /// filter >2 --------3--4--|
  /// ```
  /// A failing callback ends the stream with an error. C: rac_signal_filter. RAC: -filter:
  @inline(never)
  func filter(_ context: Context, _ predicate: @escaping rac_predicate_fn) -> Signal {
    lift("filter:") { FilterSink(context, predicate, $0) }
  }

  /// Passes only the end. C: rac_signal_ignore_values. RAC: -ignoreValues
  func ignoreValues() -> Signal { lift("ignoreValues") { IgnoreValuesSink($0) } }
}

private final class FilterSink: Stage {
  private let context: Context
  private let pointer: UnsafeMutableRawPointer?
  private let predicate: rac_predicate_fn

  init(_ context: Context, _ predicate: @escaping rac_predicate_fn, _ downstream: Sink) {
    self.context = context
    pointer = context.pointer
    self.predicate = predicate
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    var passes = false
    let status = predicate(pointer, value, &passes)
    if Callback.hasFailed(status) {
      fail(status)
    } else if passes {
      downstream.next(value)
    }
  }
}

private final class IgnoreValuesSink: Stage {
  override func next(_ value: Value) {}
}
