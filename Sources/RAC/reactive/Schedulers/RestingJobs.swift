import CRACShims
import Synchronization

/// Jobs that rest are in nobody's queue: `rac_close` finds them here.
final class RestingJobs {
  private let lock = Lock()
  private var first: Unmanaged<PausableJob>?
  /// Those that are still looked at.
  private let news = Atomic<Int>(0)
  /// When the next look is due.
  private var nextLook: Int64 = 0

  static var shared: RestingJobs {
    @inline(__always) get { theRestingJobs.unsafelyUnwrapped }
  }

  static func boot() { theRestingJobs = RestingJobs() }

  func add(_ job: PausableJob) {
    lock.locked {
      job.isListed = true
      job.lengthThen = -1
      if !job.isTold { news.wrappingAdd(1, ordering: .relaxed) }
      job.previousResting = nil
      job.nextJob = UInt(bitPattern: first?.toOpaque())
      first?._withUnsafeGuaranteedRef { $0.previousResting = .passUnretained(job) }
      first = .passUnretained(job)
    }
  }

  func remove(_ job: PausableJob) { lock.locked { takeOut(job) } }

  private func takeOut(_ job: PausableJob) {
    guard job.isListed else { return }
    job.isListed = false
    if !job.isTold { news.wrappingSubtract(1, ordering: .relaxed) }
    let next = HeldJobs.job(job.nextJob)
    next?._withUnsafeGuaranteedRef { $0.previousResting = job.previousResting }
    if let previous = job.previousResting {
      previous._withUnsafeGuaranteedRef { $0.nextJob = job.nextJob }
    } else {
      first = next
    }
  }

  // MARK: Those that stand

  /// Until when a thread that has nothing to do may sleep: then it looks.
  var wake: Int64 {
    news.load(ordering: .relaxed) == 0 ? .max : rac_shim_now() &+ RestingJobs.second
  }

  private static let second: Int64 = 1_000_000_000

  /// Logs one that a mark holds while nothing has left that place for a second: a program that
  /// waits in a circle is told where. A bound holds because its program wants that.
  @inline(never)
  func look() {
    if news.load(ordering: .relaxed) == 0 { return }
    var line: (name: StaticString, holder: Holder)?
    lock.locked { line = oneThatStands() }
    guard let line else { return }
    var text = TextBuffer()
    text.append("rac: ")
    line.holder.describe(line.name, to: &text)
    text.append(", and nothing has left there for a second: see rac_set_default_marks")
    Diagnostics.shared.write(text)
  }

  private func oneThatStands() -> (StaticString, Holder)? {
    let now = rac_shim_now()
    // Several threads have nothing to do.
    if now < nextLook { return nil }
    nextLook = now &+ RestingJobs.second &* 9 / 10
    var next = first
    while let job = next {
      next = job._withUnsafeGuaranteedRef { HeldJobs.job($0.nextJob) }
      if let holder = job._withUnsafeGuaranteedRef({ lookAt($0) }) {
        return (job._withUnsafeGuaranteedRef { $0.name }, holder)
      }
    }
    return nil
  }

  private func lookAt(_ job: PausableJob) -> Holder? {
    if job.isTold { return nil }
    var holder = Holder()
    guard withUnsafeMutablePointer(to: &holder, { job.asks(.holder($0)) }) else { return nil }
    let stands = holder.length == job.lengthThen
    job.lengthThen = holder.length
    guard stands || holder.place == .bound else { return nil }
    job.isTold = true
    news.wrappingSubtract(1, ordering: .relaxed)
    return stands && holder.place != .bound ? holder : nil
  }

  /// Calls with a text about each, in no order, and how many wait below.
  func forEach(_ body: (UnsafePointer<CChar>, Int) -> Void) -> Int {
    var count = 0
    while let (name, holder) = lock.locked({ held(count) }) {
      var text = TextBuffer()
      holder.describe(name, to: &text)
      text.withCString { body($0, Int(holder.length)) }
      count &+= 1
    }
    return count
  }

  private func held(_ number: Int) -> (StaticString, Holder)? {
    var next = first
    var left = number
    while let job = next {
      var holder = Holder()
      let isHeld = job._withUnsafeGuaranteedRef { job in
        next = HeldJobs.job(job.nextJob)
        return withUnsafeMutablePointer(to: &holder) { job.asks(.holder($0)) }
      }
      if isHeld {
        if left == 0 { return (job._withUnsafeGuaranteedRef { $0.name }, holder) }
        left &-= 1
      }
    }
    return nil
  }

  /// The library is closed, and no thread is inside: drops them.
  func dropAll() {
    while true {
      lock.lock()
      let job = first?.retain()
      if let job { job._withUnsafeGuaranteedRef { takeOut($0) } }
      lock.unlock()
      guard let job else { return }
      job._withUnsafeGuaranteedRef { $0.dispose() }
      job.drop()
    }
  }
}

@exclusivity(unchecked) nonisolated(unsafe) private var theRestingJobs: RestingJobs? = nil
