import CRACShims
import Synchronization

/// A four-byte lock for short critical sections that call nobody.
///
/// No user code runs under it, and nothing the user owns is released under it. A futex, so a waiter
/// sleeps in the kernel instead of spinning against a preempted holder.
struct Lock: ~Copyable {
  /// 0: free; 1: held; 2: held, and someone sleeps.
  private let word = Atomic<UInt32>(0)

  @inline(__always)
  borrowing func lock() {
    let (taken, _) = word.compareExchange(
      expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed)
    if !taken { wait() }
  }

  @inline(__always)
  borrowing func unlock() {
    if word.exchange(0, ordering: .releasing) == 2 { wakeOne() }
  }

  @inline(__always)
  borrowing func locked<Result>(_ body: () -> Result) -> Result {
    lock()
    let result = body()
    unlock()
    return result
  }

  @inline(never)
  private borrowing func wait() {
    while word.exchange(2, ordering: .acquiring) != 0 {
      _ = rac_shim_futex_wait(address, 2, .max)
    }
  }

  @inline(never)
  private borrowing func wakeOne() {
    rac_shim_futex_wake(address, 1)
  }

  private var address: UnsafeRawPointer {
    @inline(__always) borrowing get { atomicAddress(word) }
  }
}

/// Where an atomic lives. Atomics are address-only and immovable inside the class that stores them,
/// so the address stays good as long as the object does.
@inline(__always)
func atomicAddress(_ word: borrowing Atomic<UInt32>) -> UnsafeRawPointer {
  withUnsafePointer(to: word) { UnsafeRawPointer($0) }
}
