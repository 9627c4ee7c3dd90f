import CRACShims
import Synchronization

/// The host's scheduler: nothing runs on it until the host runs or drains it.
/// RACScheduler's mainThreadScheduler.
///
/// Its descriptor is readable exactly as long as a drain would find something to do; a run sleeps
/// on a futex and needs none, or in the poll set of the jobs that wait for descriptors.
final class MainScheduler: Scheduler {
  private let queue = JobQueue()
  private let timers = TimerQueue()
  private let poll = PollDescriptor()
  /// A drain left jobs behind.
  private let hasLeftovers = Atomic<Bool>(false)
  private let stops = Atomic<UInt32>(0)
  /// Where a run sleeps, which is then woken here and not through the descriptor.
  private let nap = Atomic<UInt32>(MainScheduler.awake)
  /// The processor that its waker was on.
  private let caller = Atomic<Int32>(-1)
  private static let awake: UInt32 = 0
  private static let onFutex: UInt32 = 1
  private static let inPoll: UInt32 = 2
  /// Jobs that wait for descriptors.
  private let polled = Poller()
  /// The thread inside run or drain.
  private let runner = Atomic<UInt>(0)

  override func schedule(_ job: Job) {
    if rac_recording_is_on() { recordAsked(job) }
    if queue.push(job) { signal() }
  }

  override var mailbox: UnsafeRawPointer? { queue.mailbox }
  override func expect(_ place: UnsafeRawPointer?) { queue.expected = place }

  override func schedule(_ job: Job, at deadline: Int64) {
    guard timers.insert(job, at: deadline) else { return }
    arm()
    endNap()
  }

  override var recordedKind: UInt16 { 2 }
  override var poller: Poller { polled }
  override func hasPolled() { endNap() }
  override func canPoll() -> Bool { true }

  override var timerHome: TimerHome? { self }

  override func cancelTimer(_ job: Job) -> Bool {
    let cancellation = timers.cancel(job)
    // The descriptor must not become readable for a deadline that is gone.
    if cancellation == .removedFirst { arm() }
    return cancellation != .missing
  }

  /// Wakes the run that sleeps, or makes the descriptor readable. Only the first job that comes
  /// while nobody looks has to.
  func signal() {
    if !endNap() { poll.signal() }
    if Process.isClosed { tryToDropAll() }
  }

  @discardableResult
  private func endNap() -> Bool {
    // An exchange, so that of this and the look after falling asleep, one sees the other.
    let before = nap.exchange(MainScheduler.awake, ordering: .acquiringAndReleasing)
    if before == MainScheduler.awake { return false }
    caller.store(rac_shim_processor(), ordering: .relaxed)
    if before == MainScheduler.inPoll {
      polled.wake()
    } else {
      rac_shim_futex_wake(atomicAddress(nap), 1)
    }
    return true
  }

  /// Sets the descriptor to the first deadline, but not before some time.
  private func arm(notBefore: Int64 = 1, isExpired: Bool = false) {
    poll.arm(isExpired: isExpired) { timers.firstDeadline.map { max(notBefore, $0) } ?? 0 }
  }

  /// The descriptor to poll, or -1 when the system has none left just now.
  var descriptor: Int32 {
    let (number, isNew) = poll.open()
    if isNew {
      polled.nest(in: number)
      announce()
    }
    return number
  }

  /// Work that came before the descriptor was open makes it readable, too.
  private func announce() {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if timeToNext == 0 { signal() }
    arm()
  }

  // MARK: In a forked child

  /// Only this thread is there. Renews the descriptor, so that parent and child do not wake each
  /// other's host.
  func forked(works: Bool) {
    polled.forked(works: works)
    // Where nothing works its host is to hear of it.
    poll.renew(isReady: !works || isReady)
    if works { arm(isExpired: true) }
  }

  /// Takes over what hosts poll from the parent's, of which nothing else is touched.
  func inherit(_ parents: MainScheduler) { poll.inherit(parents.poll) }

  // MARK: Running

  /// Runs what is there at the start. How many values and other jobs; nil when another thread is
  /// running this scheduler.
  func drain() -> Int? { drain(Slice(isOfReady: true)) }

  /// Runs at most so many values and other jobs, those that come meanwhile included.
  func drain(atMost limit: Int) -> Int? { drain(Slice(limit: limit)) }

  /// The same until a time, and at least one.
  func drain(until deadline: Int64) -> Int? { drain(Slice(each: 1, deadline: deadline)) }

  private func drain(_ slice: Slice) -> Int? {
    guard enter() else { return nil }
    let count = run(slice)
    leave()
    return count
  }

  /// nil deadline: until stopped, or until a job has made it over. False when another thread is
  /// running this scheduler.
  func run(until deadline: Int64?, unless isOver: () -> Bool = { false }) -> Bool {
    guard enter() else { return false }
    while true {
      _ = run(Slice(isOfReady: true, each: Portion.share))
      if isOver() || Process.isOver || InterruptionHook.stops { break }
      if takeStop() { break }
      let hasMore = isReady
      if hasMore && deadline == nil { continue }
      // A timer of before the deadline runs, however late the thread got here.
      if let deadline, rac_shim_now() >= deadline, timers.firstDeadline ?? .max > deadline { break }
      if !hasMore && !waitAwake(until: deadline ?? .max) { sleep(until: deadline ?? .max) }
    }
    leave()
    return true
  }

  /// The time by which there will be something to do, even if nothing comes.
  private func time(before deadline: Int64) -> Int64 {
    min(deadline, max(gathersUntil, timers.firstDeadline ?? .max))
  }

  /// False when nothing came. An awake thread gets no call, so this looks for the work itself.
  private func waitAwake(until deadline: Int64) -> Bool {
    guard spin.isWorthwhile, queue.stayAwake() else { return false }
    let wake = time(before: deadline)
    let isOver = spin.wait(until: wake) {
      queue.hasArrivals || stops.load(ordering: .relaxed) != 0 || time(before: deadline) < wake
    }
    return isOver || !queue.fallAsleep()
  }

  /// Until something comes, or the first deadline.
  private func sleep(until deadline: Int64) {
    let isPolling = polled.isInUse
    let bed = isPolling ? MainScheduler.inPoll : MainScheduler.onFutex
    _ = nap.exchange(bed, ordering: .acquiringAndReleasing)
    // After that: a thread that brings a deadline from now on calls.
    let look = RestingJobs.shared.wake
    let wake = Parker.askingLimit(min(time(before: deadline), look))
    let isNeeded = !queue.hasArrivals && stops.load(ordering: .acquiring) == 0
    let sleeps = isNeeded && polled.isInUse == isPolling && !Process.isOver
    let start = sleeps ? rac_shim_now() : 0
    // A destroy that runs while a sequence is computed may run this, and others may wait for the
    // sequence.
    if sleeps { _ = WaitGraph.waitsForSignal { lieDown(bed, wake) } }
    if look < .max { RestingJobs.shared.look() }
    // The waker has said so.
    if nap.load(ordering: .acquiring) == MainScheduler.awake {
      if sleeps { spin.isWoken(since: start, from: caller.load(ordering: .relaxed)) }
      return
    }
    _ = nap.exchange(MainScheduler.awake, ordering: .acquiringAndReleasing)
  }

  @inline(never)
  private func lieDown(_ bed: UInt32, _ wake: Int64) -> Parker.End {
    if bed == MainScheduler.onFutex {
      return Parker.sleep(at: atomicAddress(nap), while: bed, until: wake)
    }
    return Parker.sleep {
      _ = polled.wait(until: wake, for: self)
      return .woken
    }
  }

  /// Something is ready in the poll set: the jobs that this thread schedules now need not wake it.
  func isAwake() {
    caller.store(rac_shim_processor(), ordering: .relaxed)
    _ = nap.exchange(MainScheduler.awake, ordering: .acquiringAndReleasing)
  }

  /// How many slices there were; nil while another thread begins or ends one, or something waits to
  /// be run now.
  var slicesIfIdle: UInt64? {
    let count = slices.load(ordering: .acquiring)
    if runner.load(ordering: .relaxed) == currentThread().token {
      // Inside a job of a slice, which has taken the others that are ready.
      return leavesSome || isReady ? nil : count
    }
    return count & 1 != 0 || isReady ? nil : count
  }

  /// Counted at the beginning and at the end, by the runner.
  private let slices = Atomic<UInt64>(0)

  @inline(__always)
  private func countSlice() {
    slices.store(slices.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }

  /// The library is closed: drops the waiting jobs, and all later ones. False: another thread is
  /// still inside.
  @discardableResult
  func tryToDropAll() -> Bool {
    guard enter() else { return false }
    timers.clear()
    repeat {
      while let job = due.popFirst() { job.disposeLast() }
      queue.dropAll()
    } while !queue.fallAsleep()
    hasLeftovers.store(false, ordering: .releasing)
    poll.clear()
    arm()
    leave()
    return true
  }

  private func takeStop() -> Bool {
    stops.load(ordering: .relaxed) != 0 && stops.exchange(0, ordering: .acquiringAndReleasing) != 0
  }

  /// Ends the run that is going on, or the next one as soon as it starts.
  func stop() {
    stops.store(1, ordering: .releasing)
    // A job of the run that is going on need not wake it.
    if runner.load(ordering: .relaxed) != currentThread().token { signal() }
  }

  /// Nanoseconds until there is something to do: 0 now, nil never.
  var timeToNext: Int64? {
    if isReady || polled.isReady { return 0 }
    return timers.firstDeadline.map { max(0, $0 &- rac_shim_now()) }
  }

  /// The same thread may come in again from a job.
  private func enter() -> Bool {
    let me = currentThread().token
    let (free, owner) = runner.replace(0, with: me)
    guard free || owner == me else { return false }
    nesting &+= 1
    return true
  }

  private func leave() {
    nesting &-= 1
    if nesting == 0 { runner.store(0, ordering: .releasing) }
  }

  /// The runner's own.
  private var nesting = 0
  private var spin = Spin()
  /// No deadline wakes it before.
  private var gathersUntil: Int64 = 1

  // MARK: Slices

  /// The jobs to run before the host gets its turn again.
  private struct Slice {
    /// Only the jobs that are ready at the start.
    var isOfReady = false
    /// At most so many values and other jobs.
    var limit = Int.max
    /// At most so many values of one job at a time.
    var each = Int.max
    var deadline = Int64.max
  }

  /// Timers that are due go before the others.
  private var due = JobLine()
  /// Timers have gone first, and none of the others has run since: no more go first until one has,
  /// or timers that are always due would leave them no time.
  private var owesOthers = false

  /// Runner only.
  private var leavesSome: Bool { queue.readyCount > 0 || due.count > 0 }

  /// Something waits to be run now. Any thread.
  private var isReady: Bool { queue.hasArrivals || hasLeftovers.load(ordering: .acquiring) }

  /// How many values and other jobs; more than the limit when the last one was a batch.
  private func run(_ slice: Slice) -> Int {
    let isRecorded = rac_recording_is_on()
    // One look for each job.
    let isPlain = !isRecorded && slice.deadline == .max
    countSlice()
    poll.clear()
    if polled.isInUse { polled.collect() }
    queue.gather()
    if slice.isOfReady || !owesOthers || queue.readyCount == 0 { takeDueTimers() }
    var jobs = slice.isOfReady ? due.count &+ queue.readyCount : .max
    var count = 0
    asCurrent {
      while jobs > 0, count < slice.limit, !Process.isOver, let job = nextJob() {
        jobs &-= 1
        let left = slice.limit == .max ? slice.each : min(slice.each, slice.limit &- count)
        // One that was taken back counts only as one of those that were there.
        let isOver = job._withUnsafeGuaranteedRef { job in
          if job.isDisposed {
            if isRecorded { leaveOut(job) }
            return false
          }
          if isPlain {
            count &+= perform(job, atMost: left, cutInto: queue)
          } else {
            count &+=
              isRecorded
              ? performRecorded(job, atMost: left, cutInto: queue)
              : perform(job, atMost: left, cutInto: queue)
            if rac_shim_now() >= slice.deadline { return true }
          }
          return !slice.isOfReady && InterruptionHook.stops
        }
        job.drop()
        if isOver { break }
      }
    }
    hasLeftovers.store(leavesSome, ordering: .releasing)
    leaveDescriptor()
    countSlice()
    return count
  }

  /// Leaves the descriptor as it should be: jobs may have signalled what has run since.
  private func leaveDescriptor() {
    if !isReady { poll.clear() }
    if isReady { signal() }
  }

  private func nextJob() -> Unmanaged<Job>? {
    if let timer = due.popFirst() { return timer }
    owesOthers = false
    if queue.readyCount == 0 { queue.gather() }
    return queue.popReady()
  }

  private func takeDueTimers() {
    guard poll.isArmed || timers.firstDeadline != nil else { return }
    let now = rac_shim_now()
    var hasFired = false
    while true {
      let row = timers.takeDue(now)
      if row == 0 { break }
      hasFired = true
      owesOthers = true
      due.append(row: row)
    }
    // Right after some have passed, those that are close are gathered, as on the timer thread.
    let isNear = hasFired && (timers.firstDeadline ?? .max) &- now < TimerThread.nearness
    gathersUntil = isNear ? now &+ TimerThread.gathering : 1
    // The timerfd stays readable until it is set again.
    if hasFired || poll.isDue(now) { arm(notBefore: gathersUntil, isExpired: true) }
  }
}
