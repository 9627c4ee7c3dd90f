extension Signal {
  /// Passes each value that `attempt` has nothing against; its failure ends the stream.
  ///
  /// ```
  /// source  --1--2--3--|
  /// try < 3 --1--2--X
  /// ```
  /// C: rac_signal_try. RAC: -try:
  func attempt(_ context: Context, _ attempt: @escaping rac_try_fn) -> Signal {
    lift("try:") { TrySink(context, attempt, $0) }
  }

  /// map, whose callback may fail anyway. C: rac_signal_try_map. RAC: -tryMap:
  func tryMap(_ context: Context, _ transform: @escaping rac_map_fn) -> Signal {
    map(context, transform).named("tryMap:", self)
  }

  /// Sends what `factory` makes for each subscriber, and completes; or its failure.
  /// C: rac_signal_from_factory. RAC: +try:
  static func made(_ context: Context, by factory: @escaping rac_factory_fn) -> Signal {
    MadeSignal(context, factory).named("try:")
  }
}

private final class TrySink: Stage {
  private let context: Context
  private let pointer: UnsafeMutableRawPointer?
  private let attempt: rac_try_fn

  init(_ context: Context, _ attempt: @escaping rac_try_fn, _ downstream: Sink) {
    self.context = context
    pointer = context.pointer
    self.attempt = attempt
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    let status = attempt(pointer, value)
    if Callback.hasFailed(status) { fail(status) } else { downstream.next(value) }
  }
}

private final class MadeSignal: ColdSignal {
  private let context: Context
  private let factory: rac_factory_fn

  init(_ context: Context, _ factory: @escaping rac_factory_fn) {
    self.context = context
    self.factory = factory
  }

  override func start(_ sink: Sink) {
    guard sink.scope.runsSource else { return }
    let result = Stage(sink).result { factory(context.pointer, $0) }
    context.calledBack()
    guard let result else { return }
    if sink.scope.isActive { sink.next(result) }
    result.release()
    if sink.scope.isActive { sink.completed() }
  }
}
