import CRACShims
import Synchronization

/// Something that can be stopped, once, from any thread.
class Disposable: Object {
  /// Idempotent. Never waits.
  func dispose() {}
  var isDisposed: Bool { false }

  /// A container marks itself disposed and hands out what it holds, the last first, for the caller
  /// to dispose; everything else is disposed on the spot. Containers in containers thereby cost no
  /// stack.
  ///
  /// Not overridden: a place in each class's table costs more than these three.
  private final func disposeOrUnpack(into stack: inout [Disposable]) {
    if let compound = self as? CompoundDisposable {
      compound.unpack(into: &stack)
    } else if let serial = self as? SerialDisposable {
      serial.unpack(into: &stack)
    } else if let scoped = self as? ScopedDisposable {
      scoped.unpack(into: &stack)
    } else {
      dispose()
    }
  }

  final func disposeUnpacking() {
    var stack: [Disposable] = []
    disposeOrUnpack(into: &stack)
    while let next = stack.popLast() { next.disposeOrUnpack(into: &stack) }
  }
}

/// Runs an action of the user's when disposed. RACDisposable.
final class ActionDisposable: Disposable {
  private let state = Atomic<Bool>(false)
  private let action: rac_action_fn?
  /// Guards the context, into which a walk may look.
  private let lock = Lock()
  private var context: Context?

  init(_ context: Context, _ action: rac_action_fn?) {
    self.context = context
    self.action = action
  }

  override var isDisposed: Bool { state.load(ordering: .acquiring) }

  /// A thread that has its handle without a reference to it may dispose it meanwhile.
  override func visit(_ visitor: inout Visitor) {
    if visitor.enter(lock) { visitor.reference(context) }
  }

  override func dispose() {
    if state.exchange(true, ordering: .acquiringAndReleasing) { return }
    // Only the one who flipped the state gets here. The context goes as soon as the action is done.
    let context = lock.locked { self.context.take() }
    if let action { currentThread().asLast { action(context?.pointer) } }
  }
}
