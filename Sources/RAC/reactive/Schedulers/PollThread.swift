import CRACShims
import Synchronization

/// The one thread that waits for the descriptors of all schedulers but the main one, which does so
/// itself. It starts with the first source, and sleeps while there are none.
final class PollThread {
  nonisolated(unsafe) private static var booted: PollThread? = nil
  static var shared: PollThread {
    @inline(__always) get { booted.unsafelyUnwrapped }
  }

  /// Called once, when the library is loaded.
  static func boot() { booted = PollThread() }

  let poller = Poller()
  private let thread = LibraryThread(.poll)
  /// Goes up when there may be one after there were none.
  private let calls = Atomic<UInt32>(0)

  /// Starts the thread unless it is there. False: the system gives none.
  func start() -> Bool {
    thread.start { rac_shim_start_thread({ _ in PollThread.shared.work() }, nil, "rac poll") }
  }

  func call() {
    calls.wrappingAdd(1, ordering: .acquiringAndReleasing)
    rac_shim_futex_wake(atomicAddress(calls), 1)
  }

  /// It looks at the hook of threads.
  func callForHook() {
    call()
    poller.wake()
  }

  private func work() {
    var visit = ThreadHook.Visit()
    while true {
      let heard = calls.load(ordering: .acquiring)
      repeat { visit.renew() } while poller.wait(until: .max)
      Parker.rest(at: atomicAddress(calls), while: heard)
    }
  }
}
