import CRACShims
import Synchronization

/// A four-byte lock for short critical sections that call nobody.
///
/// A three-state futex mutex that spins first (U. Drepper, "Futexes Are Tricky", mutex 2).
///
/// No user code runs under it, and nothing the user owns is released under it. So the holder leaves
/// sooner than a waiter falls asleep, unless it was preempted: a waiter spins for a moment, and
/// then sleeps on a futex.
struct Lock: ~Copyable {
  /// 0: free; 1: held; 2: held, and someone sleeps.
  private let word = Atomic<UInt32>(0)

  borrowing func lock() {
    let (taken, _) = word.compareExchange(
      expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed)
    if !taken { wait() }
  }

  /// False, and nothing is waited for, where somebody is inside.
  borrowing func lockIfFree() -> Bool {
    word.compareExchange(
      expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
  }

  borrowing func unlock() {
    if word.exchange(0, ordering: .releasing) == 2 { wakeOne() }
  }

  /// The same of one that somebody keeps alive, by its address.
  static func unlock(at address: UnsafeRawPointer) {
    let word = address.assumingMemoryBound(to: Atomic<UInt32>.self)
    if word.pointee.exchange(0, ordering: .releasing) == 2 { rac_shim_futex_wake(address, 1) }
  }

  borrowing func locked<Result>(_ body: () -> Result) -> Result {
    lock()
    let result = body()
    unlock()
    return result
  }

  @inline(never)
  private borrowing func wait() {
    var looks = 16
    // Where others sleep already there is more to wait for than one.
    while looks > 0, word.load(ordering: .relaxed) != 2 {
      let (taken, _) = word.weakCompareExchange(
        expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed)
      if taken { return }
      rac_shim_pause()
      looks &-= 1
    }
    while word.exchange(2, ordering: .acquiring) != 0 {
      _ = rac_shim_futex_wait(address, 2, .max)
    }
  }

  @inline(never)
  private borrowing func wakeOne() {
    rac_shim_futex_wake(address, 1)
  }

  var address: UnsafeRawPointer { atomicAddress(word) }
}

/// Where an atomic lives. Atomics are address-only and immovable inside the class that stores them,
/// so the address stays good as long as the object does.
@inline(__always)
func atomicAddress(_ word: borrowing Atomic<UInt32>) -> UnsafeRawPointer {
  withUnsafePointer(to: word) { UnsafeRawPointer($0) }
}
