import CRACShims
import Synchronization

/// The descriptor that a host polls for the main scheduler: an epoll set over an eventfd (work
/// waits) and a timerfd (the next deadline), both level-triggered. It is opened when a host first
/// asks for it.
final class PollDescriptor {
  private let lock = Lock()
  private var wakeup = rac_wakeup(poll_fd: -1, event_fd: -1, timer_fd: -1)
  private let isOpen = Atomic<Bool>(false)
  /// The eventfd was written to since it was read, or somebody is just about to: one write, one
  /// read.
  private let isSignalled = Atomic<Bool>(false)
  /// The time the timerfd is set to; 0 when it is off. Written under the lock.
  private let deadline = Atomic<Int64>(0)

  /// The number to poll, or -1 when the system has none left just now; and whether it is new, so
  /// that what came before has to be told to it.
  func open() -> (number: Int32, isNew: Bool) {
    if isOpen.load(ordering: .acquiring) { return (wakeup.poll_fd, false) }
    lock.lock()
    defer { lock.unlock() }
    let isNew = wakeup.poll_fd < 0 && rac_shim_wakeup_open(&wakeup)
    if isNew { isOpen.store(true, ordering: .sequentiallyConsistent) }
    return (wakeup.poll_fd, isNew)
  }

  /// In a forked child, with its only thread: one of its own under the same number.
  func renew(isReady: Bool) {
    guard isOpen.load(ordering: .relaxed) else { return }
    let isThere = rac_shim_wakeup_renew(&wakeup)
    isOpen.store(isThere, ordering: .relaxed)
    deadline.store(0, ordering: .relaxed)
    isSignalled.store(false, ordering: .relaxed)
    if isReady { signal() }
  }

  /// Takes it over from one whose process is gone.
  func inherit(_ other: PollDescriptor) {
    guard other.isOpen.load(ordering: .relaxed) else { return }
    wakeup = other.wakeup
    isSignalled.store(true, ordering: .relaxed)
    isOpen.store(true, ordering: .relaxed)
    clear()
  }

  /// Work waits: readable from here on.
  func signal() {
    // Of the job that came before this and the look at the jobs when the descriptor is opened, one
    // sees the other.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard isOpen.load(ordering: .acquiring) else { return }
    if isSignalled.exchange(true, ordering: .acquiringAndReleasing) { return }
    withUnsafePointer(to: wakeup) { rac_shim_wakeup_signal($0) }
  }

  /// Called before a look for work: that look sees the work of a producer that still found it
  /// signalled.
  func clear() {
    guard isSignalled.load(ordering: .acquiring) else { return }
    // Where there was nothing to read somebody has yet to write, and the next time it is read.
    if withUnsafePointer(to: wakeup, { rac_shim_wakeup_clear($0) }) {
      _ = isSignalled.exchange(false, ordering: .acquiringAndReleasing)
    }
  }

  /// Whether the timerfd is on, and whether its time has come.
  var isArmed: Bool { deadline.load(ordering: .relaxed) != 0 }
  func isDue(_ now: Int64) -> Bool { isArmed && deadline.load(ordering: .relaxed) <= now }

  /// Sets the timerfd to a deadline, 0 for none; one that has passed stays readable until then.
  func arm(isExpired: Bool = false, _ next: () -> Int64) {
    guard isOpen.load(ordering: .sequentiallyConsistent) else { return }
    lock.lock()
    // Under the lock, so that of two threads the one with the later news comes last.
    let next = next()
    if next != deadline.load(ordering: .relaxed) || isExpired {
      deadline.store(next, ordering: .relaxed)
      withUnsafePointer(to: wakeup) { rac_shim_wakeup_arm($0, next) }
    }
    lock.unlock()
  }
}
