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
  /// Nothing in it.
  private static let empty: UInt = 0
  /// Ended: whatever comes is disposed at once.
  private static let closed: UInt = 1
  /// More than one link, or it once had: see `first`.
  private static let listed: UInt = 2

  /// One of the above, or the address of the only link, retained. A subscription mostly has one, and
  /// then joining, leaving and closing are one atomic operation each.
  private let word = Atomic<UInt>(Scope.empty)
  /// Guards the list.
  private let lock = Lock()
  private var first: Link?
  /// 0: the subscriber may still be called; 1: it is gone, and destroy has run; 2: somebody waits.
  private let drained = Atomic<UInt32>(0)

  var isActive: Bool {
    @inline(__always) get { word.load(ordering: .relaxed) != Scope.closed }
  }

  override var isDisposed: Bool { word.load(ordering: .acquiring) == Scope.closed }

  /// Ends the subscription: everything in it is disposed. True for the one caller that ended it.
  @discardableResult
  func close() -> Bool {
    let before = word.exchange(Scope.closed, ordering: .acquiringAndReleasing)
    switch before {
    case Scope.closed: return false
    case Scope.empty: return true
    case Scope.listed:
      // Whoever adds does so under the lock and looks at the word again, so nothing is missed.
      while let link = takeFirst() { link.dispose() }
      return true
    default:
      Scope.link(before).takeRetainedValue().dispose()
      return true
    }
  }

  override func dispose() { close() }

  /// Disposes the link at once when the scope is closed already.
  func add(_ link: Link) {
    // Retained first: whoever closes may take it out at once.
    let mine = Unmanaged.passRetained(link)
    let (added, now) = word.compareExchange(
      expected: Scope.empty, desired: Scope.address(link), ordering: .acquiringAndReleasing)
    if added { return }
    if now == Scope.closed { link.dispose() } else { addToList(link) }
    mine.release()
  }

  /// Lets the link go without disposing it. No-op when it is not in this scope.
  func remove(_ link: Link) {
    let address = Scope.address(link)
    let (removed, now) = word.compareExchange(
      expected: address, desired: Scope.empty, ordering: .acquiringAndReleasing)
    if removed {
      Unmanaged.passUnretained(link).release()
    } else if now == Scope.listed {
      _ = unlink(link)
    }
  }

  @inline(never)
  private func addToList(_ link: Link) {
    lock.lock()
    while true {
      let now = word.load(ordering: .acquiring)
      if now == Scope.listed {
        insert(link)
        break
      }
      if now == Scope.closed {
        lock.unlock()
        return link.dispose()
      }
      let (changed, _) = word.compareExchange(
        expected: now, desired: Scope.listed, ordering: .acquiringAndReleasing)
      if changed && now != Scope.empty { insert(Scope.link(now).takeRetainedValue()) }
    }
    lock.unlock()
  }

  private func insert(_ link: Link) {
    link.home = Unmanaged.passUnretained(self)
    link.nextLink = first
    link.previousLink = nil
    first?.previousLink = Unmanaged.passUnretained(link)
    first = link
  }

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

  @inline(__always)
  private static func address(_ link: Link) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(link).toOpaque())
  }

  private static func link(_ address: UInt) -> Unmanaged<Link> {
    Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }

  deinit {
    let last = word.load(ordering: .acquiring)
    if last > Scope.listed { Scope.link(last).release() }
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

/// A disposable of the user's in a scope.
final class DisposableLink: Link {
  private let inner: Disposable

  init(_ inner: Disposable) { self.inner = inner }

  override var isDisposed: Bool { inner.isDisposed }
  override func dispose() { inner.dispose() }
}
