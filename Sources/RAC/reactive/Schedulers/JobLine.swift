import CRACShims

/// Jobs in a row, first come first served. Owns a reference to each. One thread's at a time.
struct JobLine {
  private var first: UInt = 0
  private var last: UInt = 0
  private(set) var count = 0

  /// Behind the others: jobs linked by `nextJob`, whose references it takes over.
  mutating func append(_ oldest: UInt, _ newest: UInt, _ number: Int) {
    if count == 0 {
      first = oldest
    } else {
      JobLine.job(last)._withUnsafeGuaranteedRef { $0.nextJob = oldest }
    }
    last = newest
    count &+= number
  }

  /// The same with a row that ends in 0, as TimerQueue gives it.
  mutating func append(row oldest: UInt) {
    var newest = oldest
    var number = 1
    while true {
      let next = JobLine.job(newest)._withUnsafeGuaranteedRef { $0.nextJob }
      if next == 0 { break }
      newest = next
      number &+= 1
    }
    append(oldest, newest, number)
  }

  /// Before the others.
  mutating func putBack(_ job: Job) {
    let address = UInt(bitPattern: Unmanaged.passRetained(job).toOpaque())
    if count == 0 { last = address } else { job.nextJob = first }
    first = address
    count &+= 1
  }

  /// The reference is the caller's.
  mutating func popFirst() -> Unmanaged<Job>? {
    guard count > 0 else { return nil }
    let job = JobLine.job(first)
    first = job._withUnsafeGuaranteedRef { $0.nextJob }
    count &-= 1
    return job
  }

  /// The job is about to be run.
  @inline(__always)
  static func prefetch(_ address: UInt) {
    let job = UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
    rac_shim_prefetch_to_write(job)
    rac_shim_prefetch_to_write(job + 64)
    rac_shim_prefetch_to_write(job + 128)
  }

  @inline(__always)
  static func job(_ address: UInt) -> Unmanaged<Job> {
    Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }
}
