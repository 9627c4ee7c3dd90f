import CRACShims

/// One kind of the library's threads: workers, the one for deadlines, the one for descriptors.
///
/// The first of a kind starts when something that needs it is made, and stays. Where the system
/// gives none, that call answers RAC_ENOMEM. A send that needs one ends the process instead: it has
/// no way to say so, and what it leaves undone would wait for ever.
struct LibraryThread: ~Copyable {
  enum Kind: UInt8 {
    case worker = 1
    case timers = 2
    case poll = 4
  }

  private let kind: Kind
  private let lock = Lock()

  init(_ kind: Kind) { self.kind = kind }

  var isThere: Bool {
    @inline(__always) borrowing get { rac_shim_staff_present() & kind.rawValue != 0 }
  }

  borrowing func isStarted() { rac_shim_staff_add(kind.rawValue) }

  /// Starts it unless it is there. False: the system gives no thread.
  @inline(__always)
  borrowing func start(_ launch: () -> Bool) -> Bool { isThere || startFirst(launch) }

  @inline(never)
  private borrowing func startFirst(_ launch: () -> Bool) -> Bool {
    lock.locked {
      if isThere { return true }
      let isLaunched = launch()
      if isLaunched { isStarted() }
      return isLaunched
    }
  }

  /// Ends the process where a call that cannot be refused needs a thread.
  @inline(never)
  static func endWithoutOne() -> Never {
    rac_shim_fatal("pthread_create gives no thread for what a call leaves to one")
  }
}

extension ThreadHook {
  /// Changes what each of the library's threads calls when it begins to call the host and when that
  /// is over. False: the library is closed.
  @discardableResult
  static func change(to hook: Hook<Around>?) -> Bool {
    guard shared.set(hook) else { return false }
    WorkerPool.shared.callForHook()
    TimerThread.shared.callForHook()
    PollThread.shared.callForHook()
    return true
  }
}
