extension Signal {
  /// Sends `transform` of each value.
  ///
  /// ```
  /// source  --1--2--3--|
  /// map ×10 --10-20-30-|
  /// ```
  /// A failing callback ends the stream with an error. C: rac_signal_map. RAC: -map:
  func map(_ context: Context, _ transform: @escaping rac_map_fn) -> Signal {
    MapSignal(self, context, transform).named("map:", self)
  }

  /// Sends `value` in place of each value. C: rac_signal_map_replace. RAC: -mapReplace:
  func mapReplace(_ value: Value) -> Signal {
    MapReplaceSignal(self, value).named("mapReplace:", self)
  }
}

private final class MapSignal: DerivedSignal {
  private let context: Context
  private let transform: rac_map_fn

  init(_ source: Signal, _ context: Context, _ transform: @escaping rac_map_fn) {
    self.context = context
    self.transform = transform
    super.init(source)
  }

  override func attach(_ sink: Sink) { source.subscribe(MapSink(context, transform, sink)) }
}

private final class MapSink: Stage {
  private let context: Context
  private let pointer: UnsafeMutableRawPointer?
  private let transform: rac_map_fn

  init(_ context: Context, _ transform: @escaping rac_map_fn, _ downstream: Sink) {
    self.context = context
    pointer = context.pointer
    self.transform = transform
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    var out = Value.null
    let status = transform(pointer, value, &out)
    if status < 0 { fail(status) } else if accepts(&out) { downstream.next(out) }
    out.release()
  }
}

private final class MapReplaceSignal: DerivedSignal {
  private let value: Value

  init(_ source: Signal, _ value: Value) {
    self.value = value.retained()
    super.init(source)
  }
  deinit { value.release() }

  override func attach(_ sink: Sink) { source.subscribe(MapReplaceSink(value, sink)) }
}

private final class MapReplaceSink: Stage {
  private let value: Value

  init(_ value: Value, _ downstream: Sink) {
    self.value = value.retained()
    super.init(downstream)
  }
  deinit { value.release() }

  override func next(_ value: Value) { downstream.next(self.value) }
}
