import CRACShims
import Synchronization

/// A subscription of callbacks to a subject, with nothing between: sink and scope in one object.
///
/// It has two lifetimes. The callbacks' is over when the subject has taken it out of its list,
/// inside the gate: the thread that did so destroys the context, once, after having left, or after
/// the end that it was taken out for. The object's, with its reference to the source, goes on for
/// the holder of the disposable. `Tests/model/direct.pml` is this.
class DirectSubscription: Member {
  /// Retained.
  private let source: Unmanaged<SubjectCore>
  private let onNext: rac_next_fn?
  fileprivate final let context: UnsafeMutableRawPointer?

  /// The core unmanaged, or it is retained once more for the length of the call.
  @inline(__always)
  fileprivate init(_ observer: rac_observer, _ source: Unmanaged<SubjectCore>) {
    source.keep()
    self.source = source
    onNext = observer.next
    context = observer.context
  }

  /// Makes what the observer needs. The caller's reference is to become the subject's.
  @inline(__always)
  static func make(_ observer: rac_observer, _ source: Unmanaged<SubjectCore>)
    -> DirectSubscription
  {
    let hasOnlyNext =
      observer.error == nil && observer.completed == nil && observer.destroy == nil
    return hasOnlyNext ? DirectSubscription(observer, source) : makeLarger(observer, source)
  }

  @inline(never)
  private static func makeLarger(_ observer: rac_observer, _ source: Unmanaged<SubjectCore>)
    -> DirectSubscription
  {
    LargerSubscription(observer, source)
  }

  /// The call of a delivery.
  @inline(__always)
  final var leaf: Leaf { Leaf(function: onNext ?? { _, _ in }, context: context) }

  override final var isDirect: Bool { true }

  final var isActive: Bool { !drained.isClosed }
  override final var isDisposed: Bool { drained.isClosed }

  /// True for the one who closed it. Inside the gate or outside.
  @discardableResult
  final func close() -> Bool { drained.close() }

  /// Nobody handles it.
  override func error(_ error: Value) {
    if close() { Diagnostics.shared.reportUnhandled(error, of: nil) }
  }
  override func completed() { close() }

  /// Another thread's disposal may not have come to the subject yet: there is no harm in a second
  /// one.
  override final func assist(silently: Bool) {
    if !silently { dispose() }
  }

  override final func dispose() {
    if !drained.isDone, source._withUnsafeGuaranteedRef({ $0.letGo(of: self) }) { wasLeft() }
  }

  /// The subject will not call it any more.
  final func wasLeft() {
    destroy()
    markDrained()
    // The list's.
    Unmanaged.passUnretained(self).drop()
  }

  /// Disposes it for a thread that has the handle's reference, and gives that back.
  @inline(__always)
  static func end(_ subscription: Unmanaged<DirectSubscription>) {
    let isMine = subscription._withUnsafeGuaranteedRef { subscription in
      !subscription.drained.isDone
        && subscription.source._withUnsafeGuaranteedRef { $0.letGo(of: subscription) }
    }
    if isMine {
      subscription._withUnsafeGuaranteedRef { $0.destroy() }
      // The list's reference goes, too. Mostly there are no others, and so nobody who waits.
      if !subscription.isPair { subscription._withUnsafeGuaranteedRef { $0.markDrained() } }
      subscription.dropOneOfTwo()
    }
    subscription.drop()
  }

  fileprivate func destroy() {}

  /// While it is in the list: afterwards the object may live on, but not the context. So it does
  /// not answer `visit`.
  func visitCallbacks(_ visitor: inout Visitor) {}

  deinit { source.drop() }
}

/// The same with callbacks for an end and a destroy.
private final class LargerSubscription: DirectSubscription {
  private let onError: rac_error_fn?
  private let onCompleted: rac_completed_fn?
  private let onDestroy: rac_destroy_fn?

  override init(_ observer: rac_observer, _ source: Unmanaged<SubjectCore>) {
    onError = observer.error
    onCompleted = observer.completed
    onDestroy = observer.destroy
    super.init(observer, source)
  }

  override func error(_ error: Value) {
    guard let onError else { return super.error(error) }
    if close() { onError(context, error) }
  }
  override func completed() {
    if close() { onCompleted?(context) }
  }
  override func visitCallbacks(_ visitor: inout Visitor) {
    visitor.held(context, onDestroy)
  }

  override func destroy() {
    guard let onDestroy else { return }
    close()
    currentThread().asAwaited { onDestroy(context) }
  }
}
