import CRACShims
import Synchronization

/// The threads behind background schedulers. The first starts with the first scheduler, a few more
/// when all are busy — jobs may block on sockets — and none is ever stopped. PoolState decides
/// which are woken. Workers spin for a while beside the scheduler that they had; one of these looks
/// at the lines, too.
final class WorkerPool {
  nonisolated(unsafe) private static var booted: Unmanaged<WorkerPool>? = nil
  static var shared: WorkerPool {
    @inline(__always) get { booted.unsafelyUnwrapped.takeUnretainedValue() }
  }

  /// Called once, when the library is loaded.
  static func boot() {
    let old = booted
    booted = .passRetained(WorkerPool())
    old?.release()
  }

  private let lock = Lock()
  /// Schedulers with work, by priority: high, default, low, background.
  private var lines = (Line(), Line(), Line(), Line())
  private var state = PoolState(limit: max(8, Int(rac_shim_processor_count()) &* 4))
  /// `state.ready`, for the worker that looks at the lines without the lock.
  private let ready = Atomic<Int>(0)
  /// Whether a worker that spins beside its scheduler sees to the lines as well.
  ///
  /// Dekker pair: `add` writes `ready`, then reads this; the worker clears this, then reads
  /// `ready`. All are sequentially consistent, so no scheduler is left in line.
  private let hasLookout = Atomic<Bool>(false)
  private let first = LibraryThread(.worker)
  /// Wake-ups that no worker has answered yet, and above them how often all were called.
  private let calls = Atomic<UInt32>(0)
  /// The processor that the last one came from, or `worker`.
  private let caller = Atomic<Int32>(-1)
  /// A call from another worker. That one takes what it puts in line itself, as soon as its job is
  /// over: to spin beside it would be to compete for that, value by value.
  private static let worker: Int32 = -2
  private static let callMask: UInt32 = 0xFFFF

  /// The pool stays, so nobody has to retain it meanwhile.
  @inline(__always)
  static func add(_ scheduler: BackgroundScheduler) {
    booted.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.add(scheduler) }
  }

  @inline(never)
  private func add(_ scheduler: BackgroundScheduler) {
    // There the lock may be another thread's, for ever.
    if Process.isForkedChild { return }
    let entry = Unmanaged.passRetained(scheduler)
    lock.lock()
    switch scheduler.rank {
    case 0: lines.0.append(entry)
    case 1: lines.1.append(entry)
    case 2: lines.2.append(entry)
    default: lines.3.append(entry)
    }
    state.added()
    ready.store(state.ready, ordering: .sequentiallyConsistent)
    let help =
      hasLookout.load(ordering: .sequentiallyConsistent) ? PoolState.Help.none : state.needsHelp()
    lock.unlock()
    give(help)
  }

  private func give(_ help: PoolState.Help) {
    switch help {
    case .none: break
    case .wake:
      let isWorker = Scheduler.current is BackgroundScheduler
      caller.store(isWorker ? WorkerPool.worker : rac_shim_processor(), ordering: .relaxed)
      calls.wrappingAdd(1, ordering: .releasing)
      rac_shim_futex_wake(atomicAddress(calls), 1)
    case .start: _ = launch()
    }
  }

  /// One more, which is counted already. False: the system gives no thread; those there are do the
  /// work.
  @inline(never)
  private func launch() -> Bool {
    if rac_shim_start_thread({ _ in WorkerPool.shared.work() }, nil, "rac worker") {
      first.isStarted()
      return true
    }
    if lock.locked({ state.startFailed() }) { LibraryThread.endWithoutOne() }
    return false
  }

  /// Starts a worker unless there is one. False: the system gives no thread.
  func start() -> Bool {
    first.start {
      _ = lock.locked { state.starts() }
      return launch()
    }
  }

  @inline(never)
  private func work() {
    var spin = Spin()
    var visit = ThreadHook.Visit()
    var isComing = true
    var isWorking = false
    while true {
      let scheduler = take(&spin, &visit, isComing, after: isWorking)
      scheduler._withUnsafeGuaranteedRef { serve($0, &spin, &visit) }
      scheduler.drop()
      isComing = false
      isWorking = true
    }
  }

  /// Until others wait, or there is nothing to do for a moment.
  private func serve(
    _ scheduler: BackgroundScheduler, _ spin: inout Spin, _ visit: inout ThreadHook.Visit
  ) {
    var isEmpty: Bool
    repeat {
      visit.renew()
      isEmpty = scheduler.runShare()
      // Drops batches that callbacks outside of jobs, such as a destroy, have begun and not ended.
      currentThread().takeBack(to: nil)
      Process.standStillIfForked()
    } while isEmpty && spin.isWorthwhile && waitAwake(&spin, for: scheduler.queue)
    scheduler.endBatch()
  }

  /// False: nothing came into the queue, or something into a line.
  private func waitAwake(_ spin: inout Spin, for queue: JobQueue) -> Bool {
    // One is enough that sees to the lines as well, so that nobody is called for them; but nobody
    // relies on one that yields: it may not get its processor back for long. Such a one looks at
    // them all the same.
    var isLookout = hasLookout.compareExchange(
      expected: false, desired: true, ordering: .relaxed
    ).exchanged
    guard isLookout else { return spin.wait { queue.hasArrivals } }
    func letGo() {
      if isLookout { _ = hasLookout.exchange(false, ordering: .sequentiallyConsistent) }
      isLookout = false
    }
    let found = spin.wait(lettingGo: letGo) {
      queue.hasArrivals || ready.load(ordering: .relaxed) > 0
    }
    letGo()
    return found && ready.load(ordering: .sequentiallyConsistent) == 0
  }

  /// Waits for a scheduler with work.
  private func take(
    _ spin: inout Spin, _ visit: inout ThreadHook.Visit, _ isComing: Bool,
    after wasWorking: Bool
  ) -> Unmanaged<BackgroundScheduler> {
    var isComing = isComing
    lock.lock()
    if wasWorking { state.finished() }
    while !state.looks(wasCalled: isComing) {
      lock.unlock()
      sleep(&spin, &visit)
      isComing = true
      lock.lock()
    }
    ready.store(state.ready, ordering: .relaxed)
    let scheduler = next()
    let help = state.needsHelp()
    lock.unlock()
    give(help)
    return scheduler
  }

  private func sleep(_ spin: inout Spin, _ visit: inout ThreadHook.Visit) {
    let start = rac_shim_now()
    while true {
      let waiting = calls.load(ordering: .acquiring)
      visit.renew()
      if waiting & WorkerPool.callMask == 0 {
        let wake = RestingJobs.shared.wake
        Parker.rest(at: atomicAddress(calls), while: waiting, until: wake)
        if wake < .max { RestingJobs.shared.look() }
        continue
      }
      let (answered, _) = calls.weakCompareExchange(
        expected: waiting, desired: waiting &- 1, ordering: .acquiring)
      if answered { break }
    }
    let caller = caller.load(ordering: .relaxed)
    if caller == WorkerPool.worker {
      spin.forget()
    } else {
      spin.isWoken(since: start, from: caller)
    }
  }

  /// How often something moved; nil while a scheduler is in line or has a worker other than the
  /// calling thread.
  var movesIfIdle: UInt64? {
    let own = Scheduler.current is BackgroundScheduler ? 1 : 0
    return lock.locked { state.ready > 0 || state.working > own ? nil : state.moves }
  }

  /// All who sleep look at the hook of threads, in their sleep.
  func callForHook() {
    calls.wrappingAdd(WorkerPool.callMask &+ 1, ordering: .releasing)
    rac_shim_futex_wake(atomicAddress(calls), .max)
  }

  /// Under the lock: the first in line, where there is one.
  private func next() -> Unmanaged<BackgroundScheduler> {
    (lines.0.popFirst() ?? lines.1.popFirst() ?? lines.2.popFirst() ?? lines.3.popFirst())
      .unsafelyUnwrapped
  }

  /// Schedulers in line, each once, linked by `nextReady`. Owned.
  private struct Line {
    private var first: Unmanaged<BackgroundScheduler>? = nil
    private var last: Unmanaged<BackgroundScheduler>? = nil

    mutating func append(_ scheduler: Unmanaged<BackgroundScheduler>) {
      if let last {
        last._withUnsafeGuaranteedRef { $0.nextReady = scheduler }
      } else {
        first = scheduler
      }
      last = scheduler
    }

    mutating func popFirst() -> Unmanaged<BackgroundScheduler>? {
      guard let scheduler = first else { return nil }
      first = scheduler._withUnsafeGuaranteedRef {
        let next = $0.nextReady
        $0.nextReady = nil
        return next
      }
      if first == nil { last = nil }
      return scheduler
    }
  }
}
