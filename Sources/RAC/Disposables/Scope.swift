import CRACShims
import Synchronization

/// Something a scope can hold: it knows its neighbours, so joining and leaving cost the same among
/// two and among a million.
class Link: Disposable {
  /// Guarded by the lock of the scope it is in.
  fileprivate final var nextLink: Link?
  fileprivate final var previousLink: Unmanaged<Link>?
  fileprivate final var home: Unmanaged<Scope>?
}

/// A subscription: what has to stop when it ends, and whether it has.
///
/// Everything upstream of a subscriber shares its scope: the subscriber at the bottom, the operators
/// above it, and the source that feeds them. Operators that subscribe to several signals give each
/// input a scope of its own, linked into the one below.
final class Scope: Link {
  private static let active: UInt32 = 0
  private static let closed: UInt32 = 1

  private let state = Atomic<UInt32>(Scope.active)
  private let lock = Lock()
  private var first: Link?
  /// 0: the subscriber may still be called; 1: it is gone, and destroy has run; 2: somebody waits.
  private let drained = Atomic<UInt32>(0)

  var isActive: Bool {
    @inline(__always) get { state.load(ordering: .relaxed) == Scope.active }
  }

  override var isDisposed: Bool { state.load(ordering: .acquiring) != Scope.active }

  /// Ends the subscription: everything in it is disposed. True for the one caller that ended it.
  @discardableResult
  func close() -> Bool {
    guard state.exchange(Scope.closed, ordering: .acquiringAndReleasing) == Scope.active else {
      return false
    }
    while let link = takeFirst() { link.dispose() }
    return true
  }

  override func dispose() { close() }

  /// Disposes the link at once when the scope is closed already.
  func add(_ link: Link) {
    lock.lock()
    let late = !isActive
    if !late {
      link.home = Unmanaged.passUnretained(self)
      link.nextLink = first
      link.previousLink = nil
      first?.previousLink = Unmanaged.passUnretained(link)
      first = link
    }
    lock.unlock()
    // Whoever closes marks first and then empties the list under the lock, so a link that got in is
    // found there.
    if late { link.dispose() }
  }

  /// Lets the link go without disposing it. No-op when it is not in this scope.
  func remove(_ link: Link) { _ = unlink(link) }

  private func unlink(_ link: Link) -> Link? {
    lock.lock()
    defer { lock.unlock() }
    guard link.home?.toOpaque() == Unmanaged.passUnretained(self).toOpaque() else { return nil }
    let next = link.nextLink
    next?.previousLink = link.previousLink
    if let previous = link.previousLink {
      previous.takeUnretainedValue().nextLink = next
    } else {
      first = next
    }
    link.nextLink = nil
    link.previousLink = nil
    link.home = nil
    return link
  }

  private func takeFirst() -> Link? {
    lock.lock()
    defer { lock.unlock() }
    guard let link = first else { return nil }
    first = link.nextLink
    first?.previousLink = nil
    link.nextLink = nil
    link.home = nil
    return link
  }

  deinit {
    // A long list must not be freed by recursion.
    while takeFirst() != nil {}
  }

  // MARK: Waiting until nothing can be called any more

  /// Whether callbacks of the user's are at the bottom, so that there is something to wait for. Set
  /// before the subscription starts.
  var belongsToCallbacks = false

  /// The subscriber's context was destroyed.
  func markDrained() {
    if drained.exchange(1, ordering: .acquiringAndReleasing) == 2 {
      rac_shim_futex_wake(atomicAddress(drained), .max)
    }
  }

  var isDrained: Bool { drained.load(ordering: .acquiring) == 1 }

  /// False when `timeout` nanoseconds (negative: for ever) passed first.
  func waitUntilDrained(timeout: Int64) -> Bool {
    let deadline = rac_shim_now() &+ timeout
    while true {
      let (_, now) = drained.compareExchange(
        expected: 0, desired: 2, ordering: .acquiringAndReleasing)
      if now == 1 { return true }
      let left = timeout < 0 ? -1 : max(0, deadline &- rac_shim_now())
      if !rac_shim_futex_wait(atomicAddress(drained), 2, left) { return isDrained }
    }
  }
}
