/// A signal that is made anew for each subscriber.
///
///     factory makes --1--2--|
///     defer         --1--2--|
///
/// - Parameter context: passed to the callbacks.
/// - Parameter factory: makes the signal to subscribe to; its result is transferred.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL.
///
/// RAC: +defer:. Rx: defer. Since: 0.1
@c public func rac_signal_defer(
  _ context: CContext?, _ factory: rac_defer_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy) else { return nil }
  guard let factory else { return Border.fail(Status.null, "factory is NULL") }
  return Border.give { Signal.deferred(context, factory) }
}

extension Signal {
  static func deferred(_ context: Context, _ factory: @escaping rac_defer_fn) -> Signal {
    DeferSignal(Closure(context, factory)).named("defer:")
  }
}

final class DeferSignal: Signal {
  private let factory: Closure<rac_defer_fn>

  fileprivate init(_ factory: Closure<rac_defer_fn>) { self.factory = factory }

  override func visit(_ visitor: inout Visitor) { visitor.reference(factory.context) }

  override var contexts: Object? { factory.context }

  override func attach(_ sink: Sink) {
    let factory = factory
    switch SignalCallback.call({ factory.function(factory.pointer, $0) }) {
    case .signal(let signal): signal.subscribe(KeepingSink(factory.context, sink))
    case .failure(let error): sink.error(owned: error)
    }
  }
}
