extension Signal {
  /// Sends `transform` of each value.
  ///
  /// ```
  /// source  --1--2--3--|
  /// map ×10 --10-20-30-|
  /// ```
  /// A failing callback ends the stream with an error. C: rac_signal_map. RAC: -map:
  @inline(never)
  func map(_ context: Context, _ transform: @escaping rac_map_fn) -> Signal {
    lift("map:") { MapSink(context, transform, $0) }
  }

  /// Sends `value` in place of each value. C: rac_signal_map_replace. RAC: -mapReplace:
  @inline(never)
  func mapReplace(_ value: Value) -> Signal {
    let value = OwnedValue(value)
    return lift("mapReplace:") { MapReplaceSink(value, $0) }
  }
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
    if Callback.hasFailed(status) { fail(status) } else if accepts(&out) { downstream.next(out) }
    out.release()
  }
}

private final class MapReplaceSink: Stage {
  private let replacement: OwnedValue

  init(_ replacement: OwnedValue, _ downstream: Sink) {
    self.replacement = replacement
    super.init(downstream)
  }

  override func next(_ value: Value) { downstream.next(replacement.value) }
}
