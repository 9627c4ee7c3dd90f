extension Signal {
  /// Asks `factory` for a signal at each subscription. C: rac_signal_defer. RAC: +defer:
  static func deferred(_ context: Context, _ factory: @escaping rac_defer_fn) -> Signal {
    DeferSignal(context, factory).named("defer:")
  }
}

private final class DeferSignal: Signal {
  private let context: Context
  private let factory: rac_defer_fn

  init(_ context: Context, _ factory: @escaping rac_defer_fn) {
    self.context = context
    self.factory = factory
    super.init()
  }

  override func attach(_ sink: Sink) {
    let context = context
    let factory = factory
    switch SignalCallback.call({ factory(context.pointer, $0) }) {
    case .signal(let signal): signal.subscribe(sink)
    case .failure(let error):
      sink.error(error)
      error.release()
    }
  }
}
