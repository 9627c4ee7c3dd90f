import Synchronization

/// Jobs from any thread, taken by one thread at a time, first come first served.
///
/// Producers push onto a stack with one compare-and-swap; the consumer takes the whole stack and turns
/// it round.
final class JobQueue {
  private let stack = Atomic<UInt>(0)
  /// The consumer's own: jobs in order, owned.
  private var ready: UInt = 0

  func push(_ job: Job) {
    let address = UInt(bitPattern: Unmanaged.passRetained(job).toOpaque())
    var head = stack.load(ordering: .relaxed)
    while true {
      job.nextJob = head
      let (done, now) = stack.weakCompareExchange(
        expected: head, desired: address, successOrdering: .sequentiallyConsistent,
        failureOrdering: .relaxed)
      if done { return }
      head = now
    }
  }

  /// The oldest job. Consumer only.
  func pop() -> Job? {
    if ready == 0 { refill() }
    guard let pointer = UnsafeRawPointer(bitPattern: ready) else { return nil }
    let job = Unmanaged<Job>.fromOpaque(pointer).takeRetainedValue()
    ready = job.nextJob
    return job
  }

  /// Whether nothing waits. Exact for the consumer, a guess for others.
  var isEmpty: Bool { ready == 0 && stack.load(ordering: .acquiring) == 0 }

  /// Whether something came since the consumer last looked. Any thread.
  var hasArrivals: Bool { stack.load(ordering: .sequentiallyConsistent) != 0 }

  /// How many jobs wait now. Consumer only.
  func waitingCount() -> Int {
    // What came since goes behind what is ready.
    var count = 0
    var at = ready
    var last: Job? = nil
    while let job = JobQueue.job(at) {
      count &+= 1
      last = job
      at = job.nextJob
    }
    var fresh = JobQueue.reversed(stack.exchange(0, ordering: .acquiring))
    if let last { last.nextJob = fresh } else { ready = fresh }
    while let job = JobQueue.job(fresh) {
      count &+= 1
      fresh = job.nextJob
    }
    return count
  }

  private func refill() { ready = JobQueue.reversed(stack.exchange(0, ordering: .acquiring)) }

  private static func job(_ address: UInt) -> Job? {
    guard let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
    return Unmanaged<Job>.fromOpaque(pointer).takeUnretainedValue()
  }

  private static func reversed(_ newest: UInt) -> UInt {
    var newest = newest
    var oldest: UInt = 0
    while let job = job(newest) {
      let next = job.nextJob
      job.nextJob = oldest
      oldest = newest
      newest = next
    }
    return oldest
  }

  deinit {
    while let job = pop() { job.dispose() }
  }
}
