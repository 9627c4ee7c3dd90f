/// The source's side of an operator that sends on later, or elsewhere.
///
/// Its scope is its own, below the subscription's: the source is disposed when it ends, not when
/// that has been delivered.
class DetachedSink: Sink {
  private final let subscription: Scope

  init(below subscription: Scope, height: Int32 = 0) {
    self.subscription = subscription
    super.init(scope: Scope(), height: height)
    subscription.add(scope)
  }

  /// Takes an event that is to be sent on.
  func put(_ operation: Operation, _ value: Value) {}

  /// Keeps the contexts of the operators above until the last event has been sent on.
  func keep(_ contexts: Object) {}

  override final func keeps(_ object: Object, toTheEnd: Bool) -> Bool {
    if toTheEnd { return super.keeps(object, toTheEnd: true) }
    keep(object)
    return true
  }

  override func next(_ value: Value) {
    if scope.isActive { put(.next, value) }
  }
  override final func error(_ error: Value) {
    if scope.close() { put(.error, error) }
  }
  override final func completed() {
    if scope.close() { put(.completed, .null) }
  }

  /// For `deinit`: the subscription lets go of the scope.
  final func leave() { subscription.remove(scope) }
}
