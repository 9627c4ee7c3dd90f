import CRACShims
import Synchronization

/// Jobs from any thread, taken by one thread at a time, first come first served.
///
/// A Treiber stack (Treiber, IBM 1986): producers push with one compare-and-swap, which also tells
/// them whether the consumer sleeps, so that only the first of a burst wakes it. The consumer takes
/// the whole stack and reverses it.
final class JobQueue {
  /// The bottom of the stack, which says whether the consumer will look again by itself.
  private static let asleep: UInt = 0
  private static let awake: UInt = 1

  private let stack = Atomic<UInt>(JobQueue.asleep)
  /// The consumer's own: jobs in order.
  private var ready = JobLine()
  var readyCount: Int { ready.count }

  /// True when the consumer has to be woken, and nobody else does it.
  @discardableResult
  func push(_ job: Job) -> Bool {
    let address = UInt(bitPattern: Unmanaged.passRetained(job).toOpaque())
    return push(newest: address, oldest: address)
  }

  /// The first word that a push writes, for a producer that can prefetch it.
  var mailbox: UnsafeRawPointer { withUnsafePointer(to: stack) { UnsafeRawPointer($0) } }

  /// The first word that the latest job reads when it comes again, to prefetch. Consumer only.
  var expected: UnsafeRawPointer? = nil

  /// Several at once, each linked to the one before it by `nextJob`. Takes over a reference to
  /// each.
  func push(newest: UInt, oldest: UInt) -> Bool {
    var head = stack.load(ordering: .relaxed)
    while true {
      JobLine.job(oldest)._withUnsafeGuaranteedRef { $0.nextJob = head }
      let (done, now) = stack.weakCompareExchange(
        expected: head, desired: newest, successOrdering: .acquiringAndReleasing,
        failureOrdering: .relaxed)
      if done { return head == JobQueue.asleep }
      head = now
    }
  }

  /// The oldest job, whose reference is the caller's. Consumer only, which is awake from then on.
  func pop() -> Unmanaged<Job>? {
    gatherAwake()
    return popReady()
  }

  /// The oldest of the jobs gathered. Consumer only.
  func popReady() -> Unmanaged<Job>? { ready.popFirst() }

  /// Before all others. Consumer only.
  func putBack(_ job: Job) { ready.putBack(job) }

  /// Takes what came where nothing is ready. Consumer only, which is awake from then on.
  func gatherAwake() {
    if ready.count == 0 { gather(staying: JobQueue.awake) }
  }

  /// Puts the arrivals behind the ready jobs. The consumer is not awake: the next push wakes it.
  func gather() { gather(staying: JobQueue.asleep) }

  /// Consumer only: it will look at `hasArrivals` until it has fallen asleep. False: there is
  /// something already.
  func stayAwake() -> Bool {
    stack.replace(JobQueue.asleep, with: JobQueue.awake).exchanged
  }

  /// Consumer only. False, and it is still awake: something came.
  func fallAsleep() -> Bool {
    ready.count == 0
      && stack.replace(JobQueue.awake, with: JobQueue.asleep).exchanged
  }

  /// Whether nothing waits. Consumer only.
  var isEmpty: Bool { ready.count == 0 && !hasArrivals }

  /// Whether something came since the consumer last looked. Any thread.
  var hasArrivals: Bool { stack.load(ordering: .acquiring) > JobQueue.awake }

  /// Takes out and disposes of all jobs. Consumer only, which is awake from then on.
  func dropAll() {
    while let job = pop() { job.disposeLast() }
  }

  /// The same with what is ready alone.
  func dropReady() {
    while let job = popReady() { job.disposeLast() }
  }

  private func gather(staying bottom: UInt) {
    // Nothing came: there is nothing to exchange.
    let latest = stack.load(ordering: .relaxed)
    if latest == bottom { return }
    // All that is read below comes from the other side's cache, at once rather than one after the
    // other.
    if latest > JobQueue.awake { JobLine.prefetch(latest) }
    if let expected { rac_shim_prefetch(expected) }
    var newest = stack.exchange(bottom, ordering: .acquiringAndReleasing)
    if newest <= JobQueue.awake { return }
    let last = newest
    var oldest: UInt = 0
    var count = 0
    while newest > JobQueue.awake {
      let job = JobLine.job(newest)
      let next = job._withUnsafeGuaranteedRef {
        let next = $0.nextJob
        $0.nextJob = oldest
        return next
      }
      oldest = newest
      newest = next
      count &+= 1
    }
    ready.append(oldest, last, count)
  }

  deinit {
    dropAll()
  }
}
