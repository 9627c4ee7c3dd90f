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

  func add(_ job: PausableJob, _ hold: Hold) {
    lock.locked {
      hold.isListed = true
      hold.lengthThen = -1
      if !hold.isTold { news.wrappingAdd(1, ordering: .relaxed) }
      hold.previous = nil
      hold.next = first
      first?._withUnsafeGuaranteedRef { $0.hold?.previous = .passUnretained(job) }
      first = .passUnretained(job)
    }
  }

  func remove(_ hold: Hold) { lock.locked { takeOut(hold) } }

  private func takeOut(_ hold: Hold) {
    guard hold.isListed else { return }
    hold.isListed = false
    if !hold.isTold { news.wrappingSubtract(1, ordering: .relaxed) }
    hold.next?._withUnsafeGuaranteedRef { $0.hold?.previous = hold.previous }
    if let previous = hold.previous {
      previous._withUnsafeGuaranteedRef { $0.hold?.next = hold.next }
    } else {
      first = hold.next
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
      next = job._withUnsafeGuaranteedRef { $0.hold?.next }
      if let holder = job._withUnsafeGuaranteedRef({ lookAt($0) }) {
        return (job._withUnsafeGuaranteedRef { $0.name }, holder)
      }
    }
    return nil
  }

  private func lookAt(_ job: PausableJob) -> Holder? {
    guard let hold = job.hold, !hold.isTold else { return nil }
    var holder = Holder()
    guard withUnsafeMutablePointer(to: &holder, { job.asks(.holder($0)) }) else { return nil }
    let stands = holder.length == hold.lengthThen
    hold.lengthThen = holder.length
    guard stands || holder.place == .bound else { return nil }
    hold.isTold = true
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
        next = job.hold?.next
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
      job?._withUnsafeGuaranteedRef { job in
        if let hold = job.hold { takeOut(hold) }
      }
      lock.unlock()
      guard let job else { return }
      job._withUnsafeGuaranteedRef { $0.dispose() }
      job.drop()
    }
  }
}

@exclusivity(unchecked) nonisolated(unsafe) private var theRestingJobs: RestingJobs? = nil
