/// The bottom of a subscription: the user's callbacks. RACSubscriber.
final class CallbackSink: Sink {
  private let onNext: rac_next_fn?
  private let onError: rac_error_fn?
  private let onCompleted: rac_completed_fn?
  private let context: UnsafeMutableRawPointer?
  private let destroy: rac_destroy_fn?

  init(_ observer: rac_observer) {
    onNext = observer.next
    onError = observer.error
    onCompleted = observer.completed
    context = observer.context
    destroy = observer.destroy
    super.init(scope: Scope())
    scope.belongsToCallbacks = true
  }

  override func next(_ value: Value) {
    if scope.isActive { onNext?(context, value) }
  }

  // Closing the scope disposes upstream first; only the one who closed it may call back.
  override func error(_ error: Value) {
    if scope.close() { onError?(context, error) }
  }

  override func completed() {
    if scope.close() { onCompleted?(context) }
  }

  override var leaf: Leaf? {
    Leaf(function: onNext ?? { _, _ in }, context: context)
  }

  deinit {
    destroy?(context)
    scope.markDrained()
  }
}
