import Synchronization

/// A job that asks before each value whether there is room below, and rests while there is none:
/// without its thread, its descriptor not polled.
///
/// It stands in line at a brake from the question on, while it is still running, and rests as the
/// last thing of its turn. So a release in between is not lost: the job then does not rest.
/// `Tests/model/demand.pml` is this, with `Brake`.
class PausableJob: Job {
  /// Made by its first question that found no room. Owned; most jobs have none.
  private final var made: Unmanaged<Hold>?
  /// How many brakes had been put on when it was last told that there is room.
  final var brakesThen: UInt = .max

  @inline(__always)
  override init() {}

  /// Which a job that has asked has. It stays to the end.
  final var hold: Hold? { made?._withUnsafeGuaranteedRef { $0 } }

  /// The function or the operator that it is of.
  var name: StaticString { "" }
  /// Asks below, under the lock of the list: while it is there it has all that this needs.
  func asks(_ question: Question) -> Bool { false }

  /// Before it is in line, so that a thread that finds it there finds this made. An exchange:
  /// behind it a resume that came first has been seen.
  final func ask() {
    let hold = self.hold ?? makeHold()
    _ = hold.state.exchange(Hold.asks, ordering: .acquiringAndReleasing)
  }

  @inline(never)
  private final func makeHold() -> Hold {
    let hold = Hold()
    made = .passRetained(hold)
    return hold
  }

  /// The last thing of a turn in which it was put in line: another thread may run it before this
  /// returns. False: it was released meanwhile, and goes on.
  final func rest() -> Bool {
    guard let hold else { return false }
    RestingJobs.shared.add(self, hold)
    let (rests, _) = hold.state.replace(Hold.asks, with: Hold.rests)
    if !rests { RestingJobs.shared.remove(hold) }
    return rests
  }

  /// Any thread, any number of times.
  final func resume() {
    guard let hold else { return }
    let before = hold.state.exchange(Hold.goes, ordering: .acquiringAndReleasing)
    guard before == Hold.rests else { return }
    RestingJobs.shared.remove(hold)
    if !isDisposed { goOn() }
  }

  /// Runs it again.
  func goOn() {}

  /// A thread that resumes it may not have taken it out of the list yet.
  override func drop() {
    if let hold { RestingJobs.shared.remove(hold) }
  }

  @inline(__always)
  deinit { made?.drop() }
}

/// The state of a job that has to rest.
final class Hold: Object {
  static let goes: UInt32 = 0
  /// It is in line, and about to rest.
  static let asks: UInt32 = 1
  static let rests: UInt32 = 2
  let state = Atomic<UInt32>(Hold.goes)

  /// The job's own, which is in no scope itself: in the subscription from the first hold on.
  var awakening: AwakeningLink?
  /// The next one in line at the brake.
  fileprivate var nextInLine: UInt = 0

  // Guarded by the list of jobs that rest, as all below.
  var isListed = false
  var previous: Unmanaged<PausableJob>?
  var next: Unmanaged<PausableJob>?
  /// How many waited at the place that holds it, when it was looked at last; negative: not since it
  /// rests.
  var lengthThen: Int32 = -1
  /// It is of no interest any more.
  var isTold = false
}

/// The question whether there is room below for a value, and its asker.
enum Question {
  /// Whether the answer may ever be no: what is below a subscription stays.
  case ever
  /// Whether there is room now.
  case now
  /// The same of a job that rests when there is none, and is resumed when there is some again.
  case job(PausableJob)
  /// Jobs that were disposed leave the line. They are given to the asker, who resumes all that it
  /// gets, outside of locks.
  case tidy(UnsafeMutablePointer<HeldJobs>)
  /// Which place is full, if one is; nobody waits for the answer.
  case holder(UnsafeMutablePointer<Holder>)
  /// Which bound the first place has, if it has one. The answer is always the same.
  case bound(UnsafeMutablePointer<Unmanaged<Object>?>)
}

/// Of a place where values wait: on while that is full, with the jobs that rest until it is half
/// empty, in a lock-free stack (Treiber, IBM 1986) that is taken as a whole.
struct Brake: ~Copyable {
  private static let on: UInt = 1
  /// 0: off. Else the first bit, and the job that came last, retained, which knows the one before.
  private let word = Atomic<UInt>(0)
  /// While it is on: how many wait.
  private let length = Atomic<Int32>(0)
  private let place: Holder.Place

  init(_ place: Holder.Place) { self.place = place }

  /// How many brakes have been put on so far: see `PausableJob.isHeld`.
  static let count = Atomic<UInt>(0)

  /// The place is full. Where it is changed by one thread at a time, as all places are: so whoever
  /// finds the brake on finds it counted, too.
  borrowing func putOn(_ waiting: Int) {
    length.store(Int32(clamping: waiting), ordering: .relaxed)
    let (done, _) = word.compareExchange(
      expected: 0, desired: Brake.on, ordering: .sequentiallyConsistent)
    if done { Brake.countAnother() }
  }

  /// A source may have to wait from now on.
  static func countAnother() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  /// So many are left. There is room again at half. The caller resumes those that rested, outside
  /// of locks.
  @inline(__always)
  borrowing func tell(_ left: Int, ofHalf half: Int) -> HeldJobs {
    if word.load(ordering: .sequentiallyConsistent) == 0 { return .none }
    return tellRarely(left, half)
  }

  @inline(never)
  private borrowing func tellRarely(_ left: Int, _ half: Int) -> HeldJobs {
    if left <= half { return release() }
    length.store(Int32(clamping: left), ordering: .relaxed)
    return .none
  }

  /// Nothing waits here any more. The same.
  borrowing func release() -> HeldJobs {
    if word.load(ordering: .sequentiallyConsistent) == 0 { return .none }
    return HeldJobs(latest: word.exchange(0, ordering: .sequentiallyConsistent) & ~Brake.on)
  }

  /// Whether the asker is to wait. A job is in line then, and rests or is resumed.
  borrowing func holds(_ question: Question) -> Bool {
    switch question {
    case .ever, .bound: return true
    case .now: return word.load(ordering: .acquiring) != 0
    case .job(let job): return takes(job)
    case .tidy(let spent): return tidies(spent)
    case .holder(let found): return tell(found)
    }
  }

  @inline(never)
  private borrowing func tell(_ found: UnsafeMutablePointer<Holder>) -> Bool {
    if word.load(ordering: .acquiring) == 0 { return false }
    found.pointee = Holder(place: place, length: length.load(ordering: .relaxed))
    return true
  }

  private borrowing func takes(_ job: PausableJob) -> Bool {
    if word.load(ordering: .acquiring) == 0 { return false }
    job.ask()
    let mine = Unmanaged.passRetained(job)
    if push(mine) { return true }
    job.resume()
    mine.drop()
    return false
  }

  /// False: it is off, and the reference still the caller's.
  private borrowing func push(_ job: Unmanaged<PausableJob>) -> Bool {
    let mine = UInt(bitPattern: job.toOpaque())
    var now = word.load(ordering: .acquiring)
    while now != 0 {
      job._withUnsafeGuaranteedRef { $0.hold?.nextInLine = now & ~Brake.on }
      let (done, actual) = word.weakCompareExchange(
        expected: now, desired: mine | Brake.on,
        successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
      if done { return true }
      now = actual
    }
    return false
  }

  /// Takes the line as a whole, too, and leaves the brake on. A release meanwhile misses those that
  /// are out of line: they are resumed by the asker.
  private borrowing func tidies(_ spent: UnsafeMutablePointer<HeldJobs>) -> Bool {
    var now = word.load(ordering: .acquiring)
    while now > Brake.on {
      let (done, actual) = word.weakCompareExchange(
        expected: now, desired: Brake.on,
        successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
      if done {
        HeldJobs(latest: now & ~Brake.on).forEach {
          if $0._withUnsafeGuaranteedRef({ $0.isDisposed }) || !push($0) {
            spent.pointee.add($0)
          }
        }
        return true
      }
      now = actual
    }
    return now != 0
  }

  deinit {
    if word.load(ordering: .acquiring) != 0 { letGo() }
  }

  @inline(never)
  private borrowing func letGo() { release().resume() }
}

/// So many wait at places without a bound before the sources above rest.
enum Mark {
  /// Signals, at a flatten with a limit.
  static let signals = 64
  /// Values, at a deliver_on.
  static let values = 1024

  /// rac_set_default_marks. For subscriptions made from then on.
  static let isOff = Atomic<Bool>(false)
  static var isOn: Bool { !isOff.load(ordering: .relaxed) }
}

/// Jobs that a brake has let go.
struct HeldJobs {
  fileprivate var latest: UInt

  static var none: HeldJobs { HeldJobs(latest: 0) }

  @inline(__always)
  func resume() {
    if latest != 0 { resumeAll() }
  }

  @inline(never)
  private func resumeAll() {
    forEach {
      $0._withUnsafeGuaranteedRef { $0.resume() }
      $0.drop()
    }
  }

  fileprivate mutating func add(_ job: Unmanaged<PausableJob>) {
    job._withUnsafeGuaranteedRef { $0.hold?.nextInLine = latest }
    latest = UInt(bitPattern: job.toOpaque())
  }

  /// In the order in which they came. The body may put a job into another line.
  fileprivate func forEach(_ body: (Unmanaged<PausableJob>) -> Void) {
    var next = latest
    var oldest = HeldJobs.none
    while let job = HeldJobs.job(next) {
      next = HeldJobs.behind(job)
      oldest.add(job)
    }
    while let job = HeldJobs.job(oldest.latest) {
      oldest.latest = HeldJobs.behind(job)
      body(job)
    }
  }

  private static func behind(_ job: Unmanaged<PausableJob>) -> UInt {
    job._withUnsafeGuaranteedRef { $0.hold?.nextInLine ?? 0 }
  }

  private static func job(_ address: UInt) -> Unmanaged<PausableJob>? {
    UnsafeRawPointer(bitPattern: address).map { .fromOpaque($0) }
  }
}

/// Wakes a job that rests when its subscription is over, so that it lets go of what it has where it
/// runs. For jobs that are in no scope themselves.
final class AwakeningLink: Link {
  private let job: PausableJob

  init(_ job: PausableJob) { self.job = job }

  override func dispose() { job.resume() }
}
