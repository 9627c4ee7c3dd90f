import Synchronization

/// The bottom of a subscription: the user's callbacks. RACSubscriber.
final class CallbackSink: Sink {
  private let onNext: rac_next_fn?
  private let onError: rac_error_fn?
  private let onCompleted: rac_completed_fn?
  private let context: UnsafeMutableRawPointer?
  private let destroy: rac_destroy_fn?
  /// That destroy comes after the end callback is ordered by reference counts, which ThreadSanitizer
  /// does not see; this it does.
  private let hasReturned = Atomic<Bool>(false)

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
    if scope.isActive, let onNext { onNext(context, value) }
  }

  // Closing the scope disposes upstream first; only the one who closed it may call back.
  override func error(_ error: Value) {
    guard scope.close() else { return }
    onError?(context, error)
    hasReturned.store(true, ordering: .releasing)
  }

  override func completed() {
    guard scope.close() else { return }
    onCompleted?(context)
    hasReturned.store(true, ordering: .releasing)
  }

  override var leaf: Leaf? {
    Leaf(function: onNext ?? { _, _ in }, context: context)
  }

  deinit {
    _ = hasReturned.load(ordering: .acquiring)
    destroy?(context)
    Unmanaged.passUnretained(scope)._withUnsafeGuaranteedRef { $0.markDrained() }
  }
}
