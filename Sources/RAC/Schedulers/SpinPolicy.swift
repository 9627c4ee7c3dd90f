import CRACShims

/// Whether it pays to wait awake for a moment before going to sleep: where two threads answer each
/// other, waking one costs many times what the other needs for its answer.
///
/// Waiting awake in vain is time that somebody else could have used. So it has to be earned: by naps
/// that were so short that they were mostly falling asleep and waking up, and by success. Every time in
/// vain doubles how many such naps the next try costs, so that on a busy machine it is hardly ever tried.
/// Only where many answers in a row have come is the next try free, once: both sides were interrupted.
struct SpinPolicy {
  /// Nanoseconds. Once both sides wait awake, an answer comes sooner than this, which is less than what falling
  /// asleep and waking up take …
  private static let usual: Int64 = 10_000
  /// … but the first answer only after the other side has been woken, which takes no longer than the nap in whose
  /// place this is. Where no nap was timed:
  private static let longest: Int64 = 50_000
  /// A nap that was mostly falling asleep and waking up. A shorter one was none: both sides take turns on one
  /// processor, and the system hands that over sooner than another would have answered.
  private static let short = Int64(2_500)..<150_000
  /// A look at the clock costs as much as what a nap is to be spared: one of so many is timed.
  private static let sampling: Int32 = 8
  /// After so many, and not in between, the clock is looked at.
  private static let looks = 12
  /// So many answers in a row are many.
  private static let trusted: Int32 = 64

  private var credit: Int32 = 0
  private var price: Int32 = 8
  private var answers: Int32 = 0
  private var limit = SpinPolicy.longest
  private var untimed = SpinPolicy.sampling
  /// With one processor, nobody can answer while somebody waits awake.
  private let isSensible = rac_shim_processor_count() > 1

  var isWorthwhile: Bool { credit > 0 }

  /// Waits awake, for a moment. What the condition said last.
  @inline(__always)
  mutating func wait(_ condition: () -> Bool) -> Bool {
    var end = Int64.max
    var pauses = 1
    while true {
      var looks = SpinPolicy.looks
      while looks > 0 {
        if condition() {
          isAnswered()
          return true
        }
        SpinPolicy.pause(pauses)
        looks &-= 1
      }
      // Looking all the time would slow down whoever is about to write.
      pauses = 4
      let now = rac_shim_now()
      if end == .max { end = now &+ limit }
      if now >= end { break }
    }
    isInVain()
    return false
  }

  @inline(__always)
  private static func pause(_ times: Int) {
    var left = times
    while left > 0 {
      rac_shim_pause()
      left &-= 1
    }
  }

  private mutating func isAnswered() {
    credit = 2
    price = max(8, price / 2)
    answers = min(SpinPolicy.trusted, answers &+ 1)
    limit = SpinPolicy.usual
  }

  private mutating func isInVain() {
    if answers < SpinPolicy.trusted {
      credit = -price
      price = min(1024, price &* 2)
    }
    answers = 0
    limit = SpinPolicy.longest
  }

  /// Before a nap: when it begins, or 0 if nobody needs to know how long it is.
  mutating func fallsAsleep() -> Int64 {
    if !isSensible || credit >= 2 { return 0 }
    untimed &-= 1
    if untimed > 0 { return 0 }
    untimed = SpinPolicy.sampling
    return rac_shim_now()
  }

  mutating func slept(since start: Int64) {
    if start == 0 { return }
    let nap = rac_shim_now() &- start
    if SpinPolicy.short.contains(nap) {
      credit &+= SpinPolicy.sampling
      limit = max(SpinPolicy.usual, nap)
    }
  }
}
