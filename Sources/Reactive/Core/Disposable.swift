import CRAC

/// Ends something when it is told to: a subscription, a binding, a scheduled action.
///
/// Letting go of one ends nothing, so there is nothing to keep where an observation should go on
/// for as long as its signal does. `scoped()` gives one whose end is the end.
public final class Disposable: Sendable {
  @usableFromInline nonisolated(unsafe) let pointer: OpaquePointer?

  @inlinable
  init(adopting pointer: OpaquePointer?) { self.pointer = pointer }

  /// Runs `action` once, when it is disposed. If it never is, the action never runs.
  public convenience init(_ action: @escaping @Sendable () -> Void) {
    self.init(
      adopting: rac_disposable_create(
        ActionContext(action).passed, ActionContext.call, ActionContext.release))
  }

  @inlinable
  deinit { if let pointer { rac_release(UnsafeMutableRawPointer(pointer)) } }

  /// Ends it. Any thread, any number of times, also from inside what it ends; waits for nobody.
  @inlinable
  public func dispose() { withExtendedLifetime(self) { _ = rac_dispose(pointer) } }

  /// Whether it was disposed or has ended by itself.
  public var isDisposed: Bool {
    withExtendedLifetime(self) { pointer == nil || rac_is_disposed(pointer) }
  }

  /// A disposable that disposes this one when the last reference to it goes. RAC:
  /// -asScopedDisposable.
  public func scoped() -> Disposable {
    withExtendedLifetime(self) { Disposable(adopting: rac_scoped_disposable_create(pointer)) }
  }
}
