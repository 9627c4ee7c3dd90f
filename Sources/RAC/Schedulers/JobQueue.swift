import Synchronization

/// Jobs from any thread, taken by one thread at a time, first come first served.
///
/// Producers push onto a stack with one compare-and-swap, which also tells them whether the consumer
/// has to be woken: only by the first of those that come while it sleeps. The consumer takes the whole
/// stack and turns it round.
final class JobQueue {
  /// What is at the bottom of the stack: whether the consumer will look again by itself.
  private static let asleep: UInt = 0
  private static let awake: UInt = 1

  private let stack = Atomic<UInt>(JobQueue.asleep)
  /// The consumer's own: jobs in order, owned; the last of them; how many.
  private var ready: UInt = 0
  private var lastReady: UInt = 0
  private(set) var readyCount = 0

  /// True when the consumer has to be woken, and nobody else does it.
  @discardableResult
  func push(_ job: Job) -> Bool {
    let address = UInt(bitPattern: Unmanaged.passRetained(job).toOpaque())
    return push(newest: address, oldest: address)
  }

  /// Several at once, each linked to the one before it by `nextJob`. Takes over a reference to each.
  func push(newest: UInt, oldest: UInt) -> Bool {
    var head = stack.load(ordering: .relaxed)
    while true {
      JobQueue.job(oldest)._withUnsafeGuaranteedRef { $0.nextJob = head }
      let (done, now) = stack.weakCompareExchange(
        expected: head, desired: newest, successOrdering: .acquiringAndReleasing,
        failureOrdering: .relaxed)
      if done { return head == JobQueue.asleep }
      head = now
    }
  }

  /// Jobs linked oldest first, as TimerQueue gives them, from the consumer itself, which need not be
  /// woken. They go behind what has come.
  func append(_ oldest: UInt) {
    gather()
    var last = oldest
    var count = 1
    while true {
      let next = JobQueue.job(last)._withUnsafeGuaranteedRef { $0.nextJob }
      if next == 0 { break }
      last = next
      count &+= 1
    }
    link(oldest, last, count)
  }

  /// The oldest job. Consumer only, which is awake from then on.
  func pop() -> Job? {
    if ready == 0 { gather(staying: JobQueue.awake) }
    return popReady()
  }

  /// The oldest of the jobs gathered. Consumer only.
  func popReady() -> Job? {
    guard let pointer = UnsafeRawPointer(bitPattern: ready) else { return nil }
    let job = Unmanaged<Job>.fromOpaque(pointer).takeRetainedValue()
    ready = job.nextJob
    readyCount &-= 1
    return job
  }

  /// Puts what came behind what is ready. The consumer is not awake: whoever comes now wakes it.
  func gather() { gather(staying: JobQueue.asleep) }

  /// Consumer only: it will look at `hasArrivals` until it has fallen asleep. False: there is
  /// something already.
  func stayAwake() -> Bool {
    stack.compareExchange(
      expected: JobQueue.asleep, desired: JobQueue.awake, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Consumer only. False, and it is still awake: something came.
  func fallAsleep() -> Bool {
    ready == 0
      && stack.compareExchange(
        expected: JobQueue.awake, desired: JobQueue.asleep, ordering: .acquiringAndReleasing
      ).exchanged
  }

  /// Whether nothing waits. Consumer only.
  var isEmpty: Bool { ready == 0 && !hasArrivals }

  /// Whether something came since the consumer last looked. Any thread.
  var hasArrivals: Bool { stack.load(ordering: .acquiring) > JobQueue.awake }

  private func gather(staying bottom: UInt) {
    var newest = stack.exchange(bottom, ordering: .acquiringAndReleasing)
    if newest <= JobQueue.awake { return }
    let last = newest
    var oldest: UInt = 0
    var count = 0
    while newest > JobQueue.awake {
      let job = JobQueue.job(newest)
      let next = job._withUnsafeGuaranteedRef {
        let next = $0.nextJob
        $0.nextJob = oldest
        return next
      }
      oldest = newest
      newest = next
      count &+= 1
    }
    link(oldest, last, count)
  }

  private func link(_ oldest: UInt, _ last: UInt, _ count: Int) {
    if ready == 0 {
      ready = oldest
    } else {
      JobQueue.job(lastReady)._withUnsafeGuaranteedRef { $0.nextJob = oldest }
    }
    lastReady = last
    readyCount &+= count
  }

  @inline(__always)
  private static func job(_ address: UInt) -> Unmanaged<Job> {
    Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }

  deinit {
    while let job = pop() { job.dispose() }
  }
}
