import CRACShims
import Synchronization

/// The thread that waits for the deadlines of background schedulers, and runs what is due where
/// that is one scheduler's. There are two that take turns: see StandIn.
final class TimerThread {
  nonisolated(unsafe) private static var booted: Unmanaged<TimerThread>? = nil
  static var shared: TimerThread {
    @inline(__always) get { booted.unsafelyUnwrapped.takeUnretainedValue() }
  }

  /// Called once, when the library is loaded.
  static func boot() {
    let old = booted
    old?._withUnsafeGuaranteedRef { $0.standIn.forget() }
    booted = .passRetained(TimerThread())
    old?.release()
  }

  /// Deadlines that are closer than this, which is how exactly the system wakes a thread …
  static let nearness: Int64 = 50_000
  /// … are gathered for so long, and then handed on together; …
  static let gathering: Int64 = 250_000
  /// … or for so long, where so many were.
  private static let gatheringCrowds: Int64 = 500_000
  private static let crowd = 8

  let queue = TimerQueue(isExact: false)
  private let thread = LibraryThread(.timers)
  /// Until when it sleeps; `.min` while it is awake and will look at the queue by itself.
  private let sleepsUntil = Atomic<Int64>(.min)
  private let alarm = Atomic<UInt32>(0)
  private let standIn = StandIn()

  /// The thread's object stays, so nobody has to retain it meanwhile.
  @inline(__always)
  static func insert(_ job: Job, at deadline: Int64) {
    booted.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.insert(job, at: deadline) }
  }

  /// Takes it out. False: it was not there, or not any more.
  static func cancel(_ job: Job) -> Bool {
    booted.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.queue.cancel(job) != .missing }
  }

  private func insert(_ job: Job, at deadline: Int64) {
    let isNews = queue.insert(job, at: deadline)
    if isNews || !thread.isThere { startOrWake(isNews) }
  }

  @inline(never)
  private func startOrWake(_ isNews: Bool) {
    if !start() { LibraryThread.endWithoutOne() }
    if isNews, let first = queue.firstDeadline { wake(for: first) }
  }

  private func wake(for deadline: Int64) {
    // It says until when it sleeps before it looks at the queue for the last time, and the job is
    // in the queue by now: one of the two sees the other.
    let until = sleepsUntil.load(ordering: .sequentiallyConsistent)
    if until == .min { return standIn.expect(deadline, in: queue) }
    if deadline >= until { return }
    // One of the threads that come at once wakes it.
    let (isMine, _) = sleepsUntil.replace(until, with: .min)
    if !isMine { return }
    alarm.wrappingAdd(1, ordering: .releasing)
    rac_shim_futex_wake(atomicAddress(alarm), 1)
  }

  /// Starts the thread unless it is there. False: the system gives none.
  @inline(__always)
  static func start() -> Bool {
    booted.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.start() }
  }

  @inline(__always)
  private func start() -> Bool { thread.isThere || startFirst() }

  @inline(never)
  private func startFirst() -> Bool {
    thread.start {
      let isThere = rac_shim_start_thread({ _ in TimerThread.shared.work() }, nil, "rac timers")
      if isThere { rac_shim_keep_slabs(atomicAddress(alarm)) }
      return isThere
    }
  }

  private func hire() -> Bool {
    rac_shim_start_thread({ _ in TimerThread.shared.workLater() }, nil, "rac timers")
  }

  /// It looks at the hook of threads.
  func callForHook() {
    alarm.wrappingAdd(1, ordering: .releasing)
    rac_shim_futex_wake(atomicAddress(alarm), 1)
    standIn.ring()
  }

  private func workLater() {
    var visit = ThreadHook.Visit()
    while true {
      standIn.takeOver(&visit)
      lead(&visit)
    }
  }

  private func work() {
    var visit = ThreadHook.Visit()
    while true {
      lead(&visit)
      standIn.takeOver(&visit)
    }
  }

  /// Until somebody else has taken the lead, while this thread ran jobs.
  private func lead(_ visit: inout ThreadHook.Visit) {
    while true {
      visit.renew()
      let woke = rac_shim_now()
      // So that it is seen to have jobs in hand.
      currentThread().deepen()
      let (soonest, leads) = serve(woke)
      currentThread().surface()
      currentThread().takeBack(to: nil)
      Process.standStillIfForked()
      if !leads { return }
      let rung = alarm.load(ordering: .acquiring)
      if visit.isOver { continue }
      let now = rac_shim_now()
      let first = min(queue.firstDeadline ?? .max, timeOfSlabs(now))
      if soonest > woke && first &- now < TimerThread.nearness {
        // Nobody rings: it looks again soon enough.
        sleep(until: soonest, rung)
        continue
      }
      sleepsUntil.store(first, ordering: .sequentiallyConsistent)
      if (queue.firstDeadline ?? .max) >= first {
        sleep(until: first, rung)
      }
      sleepsUntil.store(.min, ordering: .releasing)
    }
  }

  /// It is the one that lets memory go which nobody has needed for a while. When it is to look for
  /// that again.
  @inline(__always)
  private func timeOfSlabs(_ now: Int64) -> Int64 {
    if rac_shim_slabs_time() <= now { rac_shim_look_at_slabs(now) }
    return rac_shim_slabs_time()
  }

  /// The jobs that were due at one time.
  private struct Round {
    var count = 0
    /// Has jobs that nobody else was told of.
    var scheduler: BackgroundScheduler? = nil
  }

  /// Hands on or runs what is due. When what is close by then is to be looked at, not before now;
  /// and whether this thread still has the lead.
  @inline(never)
  private func serve(_ now: Int64) -> (soonest: Int64, leads: Bool) {
    var round = Round()
    fire(now, &round)
    if round.count == 0 { return (now, true) }
    let isCrowd = round.count >= TimerThread.crowd
    let soonest = now &+ (isCrowd ? TimerThread.gatheringCrowds : TimerThread.gathering)
    return (soonest, round.scheduler.map { run($0, soonest) } ?? true)
  }

  /// False when somebody else has the lead since. `soonest`: when it would look for deadlines
  /// again.
  private func run(_ scheduler: BackgroundScheduler, _ soonest: Int64) -> Bool {
    guard standIn.isReady(hire) else {
      scheduler.wake()
      return true
    }
    standIn.begin(TimerQueue.address(scheduler), in: queue, soonest)
    scheduler.runBatch()
    return standIn.end()
  }

  private func sleep(until time: Int64, _ rung: UInt32) {
    Parker.rest(at: atomicAddress(alarm), while: rung, until: time)
  }

  /// Hands all that is due to its schedulers. The last one that has to be woken is left to the
  /// caller.
  private func fire(_ now: Int64, _ round: inout Round) {
    while true {
      var oldest = queue.takeDue(now)
      if oldest == 0 { return }
      while oldest != 0 { oldest = handOn(oldest, &round) }
    }
  }

  /// Hands the jobs at the front that go to one scheduler over together; returns the rest.
  private func handOn(_ oldest: UInt, _ round: inout Round) -> UInt {
    var next = oldest
    var newest: UInt = 0
    // Held, because the jobs that hold it may have run before this is done.
    let home = JobLine.job(oldest)._withUnsafeGuaranteedRef { $0.timers.unsafelyUnwrapped }
    while next != 0 {
      let isNext = JobLine.job(next)._withUnsafeGuaranteedRef { job in
        guard job.timers.unsafelyUnwrapped === home else { return false }
        let follower = job.nextJob
        job.nextJob = newest
        newest = next
        next = follower
        return true
      }
      if !isNext { break }
      round.count &+= 1
    }
    let scheduler = unsafeDowncast(home, to: QueueScheduler.self)
    if scheduler.queue.push(newest: newest, oldest: oldest) { wake(scheduler, &round) }
    return next
  }

  private func wake(_ scheduler: QueueScheduler, _ round: inout Round) {
    guard let mine = scheduler as? BackgroundScheduler else { return scheduler.wake() }
    round.scheduler?.wake()
    round.scheduler = mine
  }

  /// The library is closed: drops the waiting jobs, but for the library's own.
  func dropAll() {
    queue.clear(keepsChores: true)
    wake(for: rac_shim_now())
  }
}
