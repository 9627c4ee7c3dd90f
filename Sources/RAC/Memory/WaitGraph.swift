import CRACShims
import Synchronization

/// Who waits for whom among the threads that read sequences, so that none waits for itself.
///
/// Only those who find a computation taken come here, and those who wait for a signal's value. An owner
/// that is waited for passes the lock when it is done: while the lock is held, everybody who is seen to
/// own or to wait goes on doing so.
final class WaitGraph {
  nonisolated(unsafe) private static var booted: WaitGraph? = nil
  static var shared: WaitGraph {
    @inline(__always) get { booted.unsafelyUnwrapped }
  }

  /// Called once, when the library is loaded.
  static func boot() { booted = WaitGraph() }

  private final class Wait {
    let thread: UInt
    /// What it waits for; nil for the value of a signal.
    let place: Once.Place?
    var next: Wait?

    init(_ thread: UInt, _ place: Once.Place?) {
      self.thread = thread
      self.place = place
    }
  }

  private let lock = Lock()
  private var waits: Wait?
  /// Advanced with every change. All wait for this one number: few ever do.
  private let epoch = Atomic<UInt32>(0)

  /// Returns when something has changed. False: waiting would never end.
  func wait(for place: Once.Place) -> Bool {
    let thread = currentThread()
    lock.lock()
    if !place.markAwaited() {
      lock.unlock()
      return true
    }
    if neverEnds(place, thread) {
      lock.unlock()
      return false
    }
    add(Wait(thread.token, place))
    let now = epoch.load(ordering: .relaxed)
    lock.unlock()
    _ = rac_shim_futex_wait(atomicAddress(epoch), now, .max)
    lock.locked { remove(thread.token) }
    return true
  }

  /// The thread is going to wait for a signal: those who wait for it from inside a callback give up,
  /// because the signal may need them.
  @inline(__always)
  func waitsForSignal<Result>(_ body: () -> Result) -> Result {
    let token = currentThread().token
    lock.locked { add(Wait(token, nil)) }
    changed()
    let result = body()
    lock.locked { remove(token) }
    return result
  }

  func changed() {
    lock.lock()
    epoch.wrappingAdd(1, ordering: .relaxed)
    lock.unlock()
    rac_shim_futex_wake(atomicAddress(epoch), .max)
  }

  private func neverEnds(_ first: Once.Place, _ thread: Thread) -> Bool {
    var owner = first.owner
    while owner != 0 {
      if owner == thread.token { return true }
      guard let wait = find(owner) else { return false }
      guard let place = wait.place else { return thread.isInsideEngine }
      owner = place.owner
    }
    return false
  }

  private func find(_ thread: UInt) -> Wait? {
    var wait = waits
    while let this = wait, this.thread != thread { wait = this.next }
    return wait
  }

  private func add(_ wait: Wait) {
    wait.next = waits
    waits = wait
  }

  private func remove(_ thread: UInt) {
    guard let mine = find(thread) else { return }
    if waits === mine { return waits = mine.next }
    var before = waits
    while let this = before, this.next !== mine { before = this.next }
    before?.next = mine.next
  }
}
