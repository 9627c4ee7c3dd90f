import CRACShims
import Synchronization

/// A wait-for graph of the threads that read sequences, so that none waits for itself: a thread
/// follows the edges before it waits, and is refused at a cycle (deadlock detection: Holt,
/// Computing Surveys 1972).
///
/// Only threads that find a computation taken come here, and those that wait for a signal's value.
/// An owner that others wait for takes the lock when it is done: while the lock is held, no owner
/// seen finishes, and no waiter seen goes on.
final class WaitGraph {
  @exclusivity(unchecked) nonisolated(unsafe) private static var booted: WaitGraph? = nil
  static var shared: WaitGraph { booted.unsafelyUnwrapped }

  /// Called once, when the library is loaded.
  static func boot() { booted = WaitGraph() }

  private final class Wait {
    let thread: UInt
    /// The computation it waits for; nil for the value of a signal.
    let place: Once.Place?
    /// A signal may need it: it does not wait for one.
    var avoidsSignals: Bool
    var next: Wait?

    init(_ thread: Thread, _ place: Once.Place?) {
      self.thread = thread.token
      self.place = place
      avoidsSignals = thread.isAwaited
    }
  }

  /// The end of a path in the graph: the activity of the last computation's owner.
  private enum Cause {
    case work
    case signal
    case caller
  }

  private let lock = Lock()
  @exclusivity(unchecked) private var waits: Wait?
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
    let cause = cause(of: place, for: thread.token)
    if cause == .caller || cause == .signal && thread.isAwaited {
      lock.unlock()
      return false
    }
    add(Wait(thread, place))
    let concerns = cause == .signal && tellThoseWhoAvoidSignals()
    if concerns { epoch.wrappingAdd(1, ordering: .relaxed) }
    let now = epoch.load(ordering: .relaxed)
    lock.unlock()
    if concerns { rac_shim_futex_wake(atomicAddress(epoch), .max) }
    let limit = ReadLimit.deadline(or: .max)
    _ = Parker.sleep(at: atomicAddress(epoch), while: now, until: limit)
    lock.locked { remove(thread.token) }
    return true
  }

  /// The thread is going to wait for a signal, or for the end of a subscription: threads that wait
  /// for it from inside a callback give up, because the signal may need them.
  static func waitsForSignal<Result>(_ body: () -> Result) -> Result {
    let thread = currentThread()
    // Then nobody waits for it; and what it computes meanwhile, in jobs of the main scheduler, it
    // does.
    if thread.pointee.computing == 0 { return body() }
    shared.addSignal(thread)
    let result = body()
    shared.removeSignal(thread)
    return result
  }

  @inline(never)
  private func addSignal(_ thread: Thread) {
    lock.locked { add(Wait(thread, nil)) }
    changed()
  }

  @inline(never)
  private func removeSignal(_ thread: Thread) { lock.locked { remove(thread.token) } }

  func changed() {
    lock.lock()
    epoch.wrappingAdd(1, ordering: .relaxed)
    lock.unlock()
    rac_shim_futex_wake(atomicAddress(epoch), .max)
  }

  private func cause(of first: Once.Place, for thread: UInt) -> Cause {
    var owner = first.owner
    while owner != 0 {
      if owner == thread { return .caller }
      guard let wait = find(owner) else { return .work }
      guard let place = wait.place else { return .signal }
      owner = place.owner
    }
    return .work
  }

  /// Those who wait for a signal only now, because of others who wait since. Each is told once.
  /// False: there are none.
  private func tellThoseWhoAvoidSignals() -> Bool {
    var isAny = false
    var wait = waits
    while let this = wait {
      if this.avoidsSignals, let place = this.place, cause(of: place, for: this.thread) == .signal {
        this.avoidsSignals = false
        isAny = true
      }
      wait = this.next
    }
    return isAny
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
