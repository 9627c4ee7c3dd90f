/// A signal that sends one value, made by a callback for each subscriber, and completes.
///
///     from_factory (1|)   (the factory writes 1)
///
/// - Parameter context: passed to the callbacks.
/// - Parameter factory: writes an owned value to `*out`; its failure becomes the stream's error.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL.
///
/// RAC: +try:. Rx: fromCallable. Since: 0.1
@c public func rac_signal_from_factory(
  _ context: CContext?, _ factory: rac_factory_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy) else { return nil }
  guard let factory else { return Border.fail(Status.null, "factory is NULL") }
  return Border.give { Signal.made(context, by: factory) }
}

extension Signal {
  static func made(_ context: Context, by factory: @escaping rac_factory_fn) -> Signal {
    MadeSignal(Closure(context, factory)).named("try:")
  }
}

private final class MadeSignal: ColdSignal {
  private let factory: Closure<rac_factory_fn>

  init(_ factory: Closure<rac_factory_fn>) { self.factory = factory }

  override func start(_ sink: Sink) {
    guard sink.scope.runsSource else { return }
    let result = Stage(sink).result { factory.function(factory.pointer, $0) }
    factory.context.calledBack()
    guard let result else { return }
    if sink.scope.isActive { sink.next(result) }
    result.release()
    if sink.scope.isActive { sink.completed() }
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(factory.context) }
}
