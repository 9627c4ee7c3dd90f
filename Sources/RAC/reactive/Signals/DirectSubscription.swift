import CRACShims
import Synchronization

/// A subscription of callbacks to a subject, with nothing between: sink and scope in one object.
///
/// It has two lifetimes. The callbacks' is over when the subject has taken it out of its list,
/// inside the gate: the thread that did so destroys the context, once, after having left, or after
/// the end that it was taken out for. The object's goes on for the holder of the disposable.
/// `Tests/model/direct.pml` is this.
class DirectSubscription: Member {
  private static let closed: UInt32 = 1
  /// The callbacks are gone.
  private static let left: UInt32 = 2
  /// How many disposals are using the source.
  private static let oneUser: UInt32 = 4

  private let state = Atomic<UInt32>(0)
  /// Kept until the callbacks are gone and no disposal uses it.
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

  final var isActive: Bool {
    state.load(ordering: .relaxed) & DirectSubscription.closed == 0
  }
  override final var isDisposed: Bool {
    state.load(ordering: .acquiring) & DirectSubscription.closed != 0
  }

  /// True for the one who closed it.
  @discardableResult
  fileprivate final func close() -> Bool {
    let before = state.bitwiseOr(DirectSubscription.closed, ordering: .acquiringAndReleasing)
    return before.oldValue & DirectSubscription.closed == 0
  }

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
    var now = state.load(ordering: .acquiring)
    while true {
      if now & DirectSubscription.left != 0 { return }
      let (done, actual) = state.weakCompareExchange(
        expected: now,
        desired: (now | DirectSubscription.closed) &+ DirectSubscription.oneUser,
        successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
      if done { break }
      now = actual
    }
    source._withUnsafeGuaranteedRef { $0.letGo(of: self) }
    let after = state.wrappingSubtract(
      DirectSubscription.oneUser, ordering: .acquiringAndReleasing
    ).newValue
    if after == DirectSubscription.closed | DirectSubscription.left { source.drop() }
  }

  /// The subject will not call it any more.
  final func wasLeft() {
    destroy()
    markDrained()
    let before = state.bitwiseOr(
      DirectSubscription.closed | DirectSubscription.left, ordering: .acquiringAndReleasing
    ).oldValue
    if before < DirectSubscription.oneUser { source.drop() }
    // The list's.
    Unmanaged.passUnretained(self).drop()
  }

  fileprivate func destroy() {}

  /// While it is in the list: afterwards the object may live on, but not the context. So it does
  /// not answer `visit`.
  func visitCallbacks(_ visitor: inout Visitor) { visitor.reference(source.toOpaque()) }
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
    super.visitCallbacks(&visitor)
    visitor.held(context, onDestroy)
  }

  override func destroy() {
    if let onDestroy { currentThread().asAwaited { onDestroy(context) } }
  }
}
