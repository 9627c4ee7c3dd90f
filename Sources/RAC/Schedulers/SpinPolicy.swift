import CRACShims

/// Whether it pays to wait awake for a moment before going to sleep: where two threads answer each
/// other, waking one costs many times what the other needs for its answer.
///
/// Waiting awake in vain is time that somebody else could have used. So it has to be earned: by naps
/// that were so short that they were mostly falling asleep and waking up, and by success. Every time in
/// vain doubles how many such naps the next try costs, so that on a busy machine it is hardly ever tried.
struct SpinPolicy {
  /// Nanoseconds. Once both sides wait awake, an answer comes sooner than this …
  private static let usual: Int64 = 5_000
  /// … but the first answer only after the other side has been woken.
  private static let longest: Int64 = 50_000
  /// A nap that was mostly falling asleep and waking up. A shorter one was none: both sides take turns on one
  /// processor, and the system hands that over sooner than another would have answered.
  private static let short = Int64(2_500)..<150_000
  /// A look at the clock costs as much as what a nap is to be spared: one of so many is timed.
  private static let sampling: Int32 = 8

  private var credit: Int32 = 0
  private var price: Int32 = 8
  private var limit = SpinPolicy.longest
  private var untimed = SpinPolicy.sampling
  /// With one processor, nobody can answer while somebody waits awake.
  private let isSensible = rac_shim_processor_count() > 1

  var isWorthwhile: Bool { credit > 0 }

  /// Waits awake, for a moment. What the condition said last.
  @inline(__always)
  mutating func wait(_ condition: () -> Bool) -> Bool {
    let end = rac_shim_now() &+ limit
    repeat {
      var looks = 8
      while looks > 0 {
        if condition() {
          credit = 2
          price = max(8, price / 2)
          limit = SpinPolicy.usual
          return true
        }
        // Looking all the time would slow down whoever is about to write.
        rac_shim_pause()
        rac_shim_pause()
        rac_shim_pause()
        rac_shim_pause()
        looks &-= 1
      }
    } while rac_shim_now() < end
    credit = -price
    price = min(1024, price &* 2)
    limit = SpinPolicy.longest
    return false
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
    if start != 0 && SpinPolicy.short.contains(rac_shim_now() &- start) {
      credit &+= SpinPolicy.sampling
    }
  }
}
