import CRACShims
import Synchronization

/// Where a dated job waits, and can be taken out of when it is disposed.
class TimerHome: Object {
  /// Takes the job out. False: it was not there, or not any more.
  func cancelTimer(_ job: Job) -> Bool { false }
}

/// Jobs ordered by deadline, equal deadlines by arrival. Any thread.
final class TimerQueue: TimerHome {
  private let lock = Lock()
  /// Holds one reference to each job.
  private var heap = TimerHeap()
  /// Whether the first deadline has to be that of a job that still waits, also right after one was
  /// cancelled. Otherwise the thread that waits for it may find nothing to do, once.
  private let isExact: Bool
  /// So that looking takes no lock. `.max` when nothing waits; nothing that waits until then ever
  /// runs by a real clock.
  private let first = Atomic<Int64>(.max)
  /// Whose jobs wait: the address of their home, where it is the same for all that came since the
  /// last time that nothing waited.
  private let owner = Atomic<UInt>(TimerQueue.nobody)
  private static let nobody: UInt = 0
  private static let several: UInt = 1

  init(isExact: Bool = true) { self.isExact = isExact }

  /// The first deadline that a real clock can reach.
  var firstDeadline: Int64? {
    let deadline = first.load(ordering: .sequentiallyConsistent)
    return deadline == .max ? nil : deadline
  }

  /// Whether jobs of somebody else's than `home` may wait.
  func awaitsOthers(than home: UInt) -> Bool {
    let owner = owner.load(ordering: .sequentiallyConsistent)
    return owner != home && owner != TimerQueue.nobody
  }

  /// True, for news: the job is now the first to run, or the first beside those of another home.
  @discardableResult
  func insert(_ job: Job, at deadline: Int64) -> Bool {
    if rac_recording_is_on() { job.recordTimer(RAC_RECORDED_TIMER_ASKED, deadline) }
    let held = Unmanaged.passUnretained(job)
    held.keepAnother()
    let address = UInt(bitPattern: held.toOpaque())
    lock.lock()
    let isFirst = deadline < heap.firstDeadline ?? .max || heap.count == 0
    job.timerNumber = heap.insert(address, at: deadline)
    if isFirst { first.store(deadline, ordering: .sequentiallyConsistent) }
    let isNews = noteOwner(job) || isFirst
    lock.unlock()
    // Disposed before it was in: nobody else would take it out.
    if job.isDisposed { cancel(job) }
    return isNews
  }

  /// True when it has changed. Under the lock.
  @inline(__always)
  private func noteOwner(_ job: Job) -> Bool {
    let home = job.timers.map(TimerQueue.address) ?? TimerQueue.several
    let before = owner.load(ordering: .relaxed)
    if before == home || before == TimerQueue.several { return false }
    owner.store(
      before == TimerQueue.nobody ? home : TimerQueue.several, ordering: .sequentiallyConsistent)
    return true
  }

  @inline(__always)
  static func address(_ home: TimerHome) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(home).toOpaque())
  }

  override func cancelTimer(_ job: Job) -> Bool { cancel(job) != .missing }

  enum Cancellation { case missing, removed, removedFirst }

  @discardableResult
  func cancel(_ job: Job) -> Cancellation {
    let mine = Unmanaged.passUnretained(job)
    lock.lock()
    // The number may be somebody else's by now.
    if heap.payload(job.timerNumber) != UInt(bitPattern: mine.toOpaque()) {
      lock.unlock()
      return .missing
    }
    heap.remove(job.timerNumber)
    if rac_recording_is_on() { job.recordTakenBack() }
    if isExact { heap.dropLeading() }
    let wasFirst = noteFirst()
    lock.unlock()
    mine.drop()
    return wasFirst ? .removedFirst : .removed
  }

  /// The first job and its deadline, if that is not after `time`. The reference is the caller's.
  func popDue(_ time: Int64) -> (job: Unmanaged<Job>, deadline: Int64)? {
    lock.lock()
    defer { lock.unlock() }
    let (address, deadline) = heap.removeFirst(upTo: time)
    guard address != 0 else { return nil }
    noteFirst()
    return (JobLine.job(address), deadline)
  }

  /// The first of the jobs that are due between two times, the times included, whatever is due
  /// before. The reference is the caller's.
  func popFirst(from: Int64, to: Int64) -> Unmanaged<Job>? {
    lock.lock()
    defer { lock.unlock() }
    let number = heap.first(from: from, to: to)
    guard number != 0 else { return nil }
    let address = heap.payload(number)
    heap.remove(number)
    heap.dropLeading()
    noteFirst()
    return JobLine.job(address)
  }

  /// As many jobs as are due, but not too many under one lock: the oldest first, linked by
  /// `nextJob`.
  func takeDue(_ time: Int64) -> UInt {
    withUnsafeTemporaryAllocation(of: UInt.self, capacity: TimerQueue.most) { jobs in
      var count = take(jobs, time)
      var oldest: UInt = 0
      while count > 0 {
        count &-= 1
        TimerQueue.link(jobs[count], oldest)
        oldest = jobs[count]
      }
      return oldest
    }
  }

  private static let most = 256

  /// How many are due, in order. None of them is looked at.
  private func take(_ jobs: UnsafeMutableBufferPointer<UInt>, _ time: Int64) -> Int {
    var count = 0
    let isRecorded = rac_recording_is_on()
    lock.lock()
    while count < TimerQueue.most {
      let (address, deadline) = heap.removeFirst(upTo: time)
      if address == 0 { break }
      if isRecorded { recordFired(address, deadline) }
      // It was made long ago: fetched while the heap finds the others.
      rac_shim_prefetch(UnsafeRawPointer(bitPattern: address))
      rac_shim_prefetch(UnsafeRawPointer(bitPattern: address &+ 64))
      jobs[count] = address
      count &+= 1
    }
    noteFirst()
    lock.unlock()
    return count
  }

  private func recordFired(_ address: UInt, _ deadline: Int64) {
    JobLine.job(address)._withUnsafeGuaranteedRef {
      $0.recordTimer(RAC_RECORDED_TIMER_FIRED, deadline)
      if let scheduler = $0.timers as? Scheduler { scheduler.recordAsked($0) }
    }
  }

  private static func link(_ address: UInt, _ next: UInt) {
    JobLine.job(address)._withUnsafeGuaranteedRef { $0.nextJob = next }
  }

  /// Drops every job. Used when the scheduler goes, or all do; then those stay that the library has
  /// for itself.
  @inline(never)
  func clear(keepsChores: Bool = false) {
    var kept = JobLine()
    while let (held, _) = popDue(.max) {
      let job = held.takeRetainedValue()
      let isKept =
        keepsChores
        && unsafeDowncast(job.timers.unsafelyUnwrapped, to: QueueScheduler.self).isForChores
      if isKept { kept.putBack(job) } else { job.dispose() }
    }
    // Their time is never more than a moment from now.
    while let job = kept.popFirst() { insert(job.takeRetainedValue(), at: rac_shim_now()) }
  }

  /// True when it has changed. Under the lock.
  @inline(__always)
  @discardableResult
  private func noteFirst() -> Bool {
    if heap.count == 0 { owner.store(TimerQueue.nobody, ordering: .relaxed) }
    let now = heap.firstDeadline ?? .max
    if now == first.load(ordering: .relaxed) { return false }
    first.store(now, ordering: .sequentiallyConsistent)
    return true
  }

}
