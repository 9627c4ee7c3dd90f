import Synchronization

/// Holds one disposable at a time. As in RAC, putting another in does not dispose the one before.
/// RACSerialDisposable.
final class SerialDisposable: Disposable {
  private let lock = Lock()
  private var disposed = false
  private var inner: Disposable?

  override var isDisposed: Bool { lock.locked { disposed } }

  var current: Disposable? { lock.locked { inner } }

  override func visit(_ visitor: inout Visitor) {
    if visitor.enter(lock) { visitor.reference(inner) }
  }

  /// The one that was in before. When this one is disposed already, the new one is disposed at once
  /// and nothing is returned.
  @discardableResult
  func swap(_ new: Disposable?) -> Disposable? {
    var old: Disposable? = nil
    let late = lock.locked {
      if !disposed {
        old = inner
        inner = new
      }
      return disposed
    }
    if late { new?.dispose() }
    return old
  }

  override func dispose() { disposeUnpacking() }

  func unpack(into stack: inout [Disposable]) {
    var mine: Disposable? = nil
    lock.locked {
      disposed = true
      mine = inner
      inner = nil
    }
    if let mine { stack.append(mine) }
  }

  deinit {
    guard inner != nil else { return }
    if let inner { Reaper.keep(inner) }
    inner = nil
    Reaper.run()
  }
}

/// Disposes another disposable when its own last reference goes. RACScopedDisposable.
final class ScopedDisposable: Disposable {
  /// Always there, until the end of this object.
  private var inner: Disposable?
  private let hasDisposed = Atomic<Bool>(false)

  init(_ inner: Disposable) { self.inner = inner }

  override var isDisposed: Bool { inner?.isDisposed ?? true }
  override func dispose() { disposeUnpacking() }
  func unpack(into stack: inout [Disposable]) {
    // Once: a chain of these would otherwise be walked again from each of its links.
    if hasDisposed.exchange(true, ordering: .acquiringAndReleasing) { return }
    if let inner { stack.append(inner) }
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(inner) }

  deinit {
    disposeUnpacking()
    if let inner { Reaper.keep(inner) }
    inner = nil
    Reaper.run()
  }
}
