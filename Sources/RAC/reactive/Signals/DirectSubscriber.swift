import CRACShims
import Synchronization

/// A subscription of callbacks to a `create` signal, with nothing between: the subscriber, sink and
/// scope in one object.
///
/// Nobody can dispose of it before rac_subscribe() returns, since that gives the handle. Most are
/// over by then. For one that goes on a `DirectDisposable` is made, and given the handle.
///
/// The callbacks go once, inside the gate: with an end, with a disposal, or with the last reference
/// to the subscriber. `Tests/model/emitter.pml` is this.
class DirectSubscriber: Subscriber {
  @exclusivity(unchecked) private final var context: UnsafeMutableRawPointer?
  private final let onError: rac_error_fn?
  private final let onCompleted: rac_completed_fn?
  private final let onDestroy: rac_destroy_fn?
  /// See `Drained`. The callbacks are there as long as it is not.
  private final let word = Atomic<UInt32>(0)

  final var drained: Drained { Drained(word) }

  @inline(__always)
  init(_ observer: rac_observer) {
    context = observer.context
    onError = observer.error
    onCompleted = observer.completed
    onDestroy = observer.destroy
    super.init(to: Leaf(function: observer.next ?? { _, _ in }, context: observer.context))
  }

  /// For callbacks of the engine's, which are given the subscriber itself. Before anybody else has
  /// it.
  @inline(__always)
  init(calling next: @escaping rac_next_fn, _ observer: rac_observer) {
    onError = observer.error
    onCompleted = observer.completed
    onDestroy = observer.destroy
    super.init(to: Leaf(function: next, context: nil))
    let mine = Unmanaged.passUnretained(self).toOpaque()
    context = mine
    leaf = Leaf(function: next, context: mine)
  }

  override final func apply(_ operation: Operation, _ object: Object?, _ value: Value) {
    switch operation {
    case .next:
      // As in other subscribers: cut for good.
      guard isActive else { return leaf = nil }
      if let leaf { leaf.function(leaf.context, value) }
    case .error: end(value)
    case .completed: end(nil)
    case .add: if let object, !drained.isDone { keep(object) }
    case .close: if isActive { letGo() }
    case .resume: (object as? PausableJob)?.resume()
    default: letGo()
    }
  }

  /// Inside the gate. nil: it completes.
  @inline(__always)
  private final func end(_ error: Value?) {
    if drained.isDone { return }
    leaf = nil
    let (isPlain, _) = state.replace(Subscriber.open, with: Subscriber.closed)
    guard isPlain || closesToEnd() else { return }
    if let error { fail(error) } else { onCompleted?(context) }
    leave()
  }

  private final func fail(_ error: Value) {
    guard let onError else { return Diagnostics.shared.reportUnhandled(error, of: nil) }
    onError(context, error)
  }

  /// The producer's cleanup comes before the end, which a disposal meanwhile takes away. False:
  /// there is none.
  private final func closesToEnd() -> Bool {
    guard close() else { return false }
    let isWanted = state.load(ordering: .relaxed) & Subscriber.disposed == 0
    if !isWanted { leave() }
    return isWanted
  }

  /// Inside the gate.
  private final func letGo() {
    if drained.isDone { return }
    leaf = nil
    if close() || state.load(ordering: .acquiring) & Subscriber.laden == 0 { leave() }
  }

  /// True for the one who closed it, after the cleanup.
  @inline(__always)
  private final func close() -> Bool {
    let before = state.bitwiseOr(Subscriber.closed, ordering: .acquiringAndReleasing).oldValue
    if before & Subscriber.closed != 0 { return false }
    if before & Subscriber.laden != 0 { cleanUpAlone() }
    return true
  }

  /// Until it is done nobody else lets the callbacks go.
  @inline(never)
  private final func cleanUpAlone() {
    cleanUp()
    state.bitwiseAnd(~Subscriber.laden, ordering: .releasing)
  }

  /// The callbacks go.
  @inline(__always)
  private final func leave() {
    if let onDestroy { currentThread().asAwaited { onDestroy(context) } }
    if signal != nil { dropSignal() }
    drained.mark()
  }

  /// Another thread's disposal may not have come to the gate yet: there is no harm in a second one.
  final func dispose() {
    if drained.isDone { return }
    state.bitwiseOr(Subscriber.disposed, ordering: .acquiringAndReleasing)
    if Stack.isShort { return hush() }
    _ = close()
    submit(.remove)
  }

  /// Inside the gate.
  override func visitCallbacks(_ visitor: inout Visitor) {
    if !drained.isDone { visitor.held(context, onDestroy) }
    visitor.reference(signal?.toOpaque())
  }

  /// The signal goes with the callbacks.
  override final func visit(_ visitor: inout Visitor) {}

  /// Nobody gets into the gate before the worker that this asks for, which does the rest.
  final func hush() {
    state.bitwiseOr(Subscriber.disposed, ordering: .acquiringAndReleasing)
    _ = gate.post(self, .remove, nil, .null)
  }
}

extension DirectSubscriber {
  /// Subscribes callbacks by way of one that is given a subscriber, lent. The subscription's
  /// handle; nil: nothing has happened.
  @inline(__always)
  static func lend(
    to observer: rac_observer, keeping signal: Signal, _ thread: Thread,
    _ callback: (OpaquePointer) -> rac_status
  ) -> OpaquePointer? {
    let subscriber = Unmanaged<DirectSubscriber>.passRetained(DirectSubscriber(observer))
    let handle = subscriber._withUnsafeGuaranteedRef {
      Handles.makeFirst(owned: .fromOpaque(subscriber.toOpaque()), .subscriber, at: $0.gate)
    }
    thread.pointee.subscribing = thread.pointee.subscribing &+ 1
    let status = callback(handle)
    thread.pointee.subscribing = thread.pointee.subscribing &- 1
    if Callback.hasFailed(status) { fail(handle, status) }
    // Nobody has retained it, and nobody is using it: it is this thread's alone.
    guard let object = Handles.redeem(handle) else { return goOn(handle, keeping: signal) }
    let left = Unmanaged<DirectSubscriber>.fromOpaque(object.toOpaque())
    guard left._withUnsafeGuaranteedRef({ $0.drained.isDone }) else { return abandon(left) }
    left.drop()
    return EndedSubscription.handle
  }

  /// Nobody can send any more.
  private static func abandon(_ subscriber: Unmanaged<DirectSubscriber>) -> OpaquePointer {
    subscriber._withUnsafeGuaranteedRef { $0.lastHandleReleased() }
    defer { subscriber.drop() }
    return subscriber._withUnsafeGuaranteedRef { $0.handle() }
  }

  /// Somebody can. Or the callback has given back what it was lent.
  private static func goOn(_ handle: OpaquePointer, keeping signal: Signal) -> OpaquePointer {
    guard let slot = Handles.acquire(handle) ?? Handles.acquireSealed(handle) else {
      return EndedSubscription.handle
    }
    let made = Unmanaged<DirectSubscriber>.fromOpaque(slot.object)._withUnsafeGuaranteedRef {
      $0.submitRarely(.add, signal)
      return $0.handle()
    }
    Handles.release(slot)
    _ = Handles.release(handle: handle)
    return made
  }

  /// A handle that ends the subscription.
  private func handle() -> OpaquePointer {
    if drained.isDone { return EndedSubscription.handle }
    return Handles.make(DirectDisposable(self), .plainDisposable)
  }
}

/// The disposable of a subscription that is a `DirectSubscriber`.
final class DirectDisposable: Link {
  let subscriber: DirectSubscriber

  init(_ subscriber: DirectSubscriber) { self.subscriber = subscriber }

  override var isDisposed: Bool { !subscriber.isActive }

  override func dispose() { subscriber.dispose() }
  override func assist(silently: Bool) {
    if silently { subscriber.hush() } else { subscriber.dispose() }
  }
}
