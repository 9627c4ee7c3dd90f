/// The bottom of a subscription to values: a callback of the user's. RACSubscriber.
///
/// Most subscriptions are of this kind, so what only the others need lies in subclasses.
class CallbackSink: Sink {
  private final let onNext: rac_next_fn?
  fileprivate final let context: UnsafeMutableRawPointer?

  @inline(__always)
  fileprivate init(_ observer: rac_observer) {
    onNext = observer.next
    context = observer.context
    super.init(scope: Scope())
    scope.belongsToCallbacks = true
  }

  /// Makes what an observer needs that subscribes to a signal.
  @inline(__always)
  static func make(_ observer: rac_observer, for signal: Signal) -> CallbackSink {
    if Diagnostics.shared.isWatching, observer.error == nil, let name = signal.name {
      return NamedSink(observer, name)
    }
    return make(observer)
  }

  @inline(__always)
  static func make(_ observer: rac_observer) -> CallbackSink {
    let hasOnlyNext =
      observer.error == nil && observer.completed == nil && observer.destroy == nil
    return hasOnlyNext ? CallbackSink(observer) : makeLarger(observer)
  }

  @inline(never)
  private static func makeLarger(_ observer: rac_observer) -> CallbackSink {
    if observer.error == nil && observer.completed == nil { return OwningSink(observer) }
    return ObserverSink(observer)
  }

  override final func next(_ value: Value) {
    if scope.isActive, let onNext { onNext(context, value) }
  }

  /// Nobody handles it.
  override func error(_ error: Value) { report(error) }
  override func completed() { scope.close() }

  /// In the place of the observer's callback.
  final func report(_ error: Value, of name: SignalName? = nil) {
    if scope.closeToEnd() { Diagnostics.shared.reportUnhandled(error, of: name) }
  }

  override final func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool { true }

  override final var leaf: Leaf? {
    Leaf(function: onNext ?? { _, _ in }, context: context)
  }

  /// Nobody can send any more: that is an end too, if a silent one.
  @inline(__always)
  fileprivate final func settle() {
    Unmanaged.passUnretained(scope)._withUnsafeGuaranteedRef { scope in
      scope.awaitCallback()
      if scope.isActive { scope.close() }
    }
  }

  deinit {
    settle()
    Unmanaged.passUnretained(scope)._withUnsafeGuaranteedRef { $0.markDrained() }
  }
}

/// The same with a destroy for its context.
class OwningSink: CallbackSink {
  private final let destroy: rac_destroy_fn?

  fileprivate override init(_ observer: rac_observer) {
    destroy = observer.destroy
    super.init(observer)
  }

  override func visit(_ visitor: inout Visitor) { visitor.held(context, destroy) }

  // Before what the superclass does at its end.
  deinit {
    settle()
    if let destroy { currentThread().asAwaited { destroy(context) } }
  }
}

/// The same with callbacks for the end.
private class ObserverSink: OwningSink {
  private final let onError: rac_error_fn?
  private final let onCompleted: rac_completed_fn?

  override init(_ observer: rac_observer) {
    onError = observer.error
    onCompleted = observer.completed
    super.init(observer)
  }

  // Closing the scope disposes upstream first; only the one who closed it may call back.
  override func error(_ error: Value) {
    guard let onError else { return report(error) }
    guard scope.closeToEnd() else { return }
    onError(context, error)
    scope.calledBack()
  }

  override final func completed() {
    guard scope.closeToEnd() else { return }
    onCompleted?(context)
    scope.calledBack()
  }
}

/// The same for one who does not handle errors, with what these are reported by.
private final class NamedSink: ObserverSink {
  private let name: SignalName

  init(_ observer: rac_observer, _ name: SignalName) {
    self.name = name
    super.init(observer)
  }

  override func error(_ error: Value) { report(error, of: name) }
}
