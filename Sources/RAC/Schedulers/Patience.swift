import CRACShims

/// Whether it pays to wait awake for a moment before going to sleep: where two threads answer each
/// other, waking one costs many times what the other needs for its answer.
///
/// Waiting awake in vain is time that somebody else could have used. So it has to be earned: by naps
/// that were so short that waiting awake might have done, one at a time, and by success. In vain, it is
/// not tried again for a while.
struct Patience {
  /// Nanoseconds. About what putting a thread to sleep and waking it costs.
  private static let longest: Int64 = 5_000
  /// A nap that was mostly falling asleep and waking up.
  private static let short: Int64 = 100_000

  private var credit: Int32 = 0
  /// With one processor, nobody can answer while somebody waits awake.
  private let isSensible = rac_shim_processor_count() > 1

  var isWorthwhile: Bool { credit > 0 }

  /// Waits awake, for a moment. What the condition said last.
  @inline(__always)
  mutating func wait(_ condition: () -> Bool) -> Bool {
    let end = rac_shim_now() &+ Patience.longest
    repeat {
      var looks = 8
      while looks > 0 {
        if condition() {
          credit = 2
          return true
        }
        rac_shim_pause()
        looks &-= 1
      }
    } while rac_shim_now() < end
    credit = -8
    return false
  }

  mutating func slept(since start: Int64) {
    if isSensible && credit < 2 && rac_shim_now() &- start < Patience.short { credit &+= 1 }
  }
}
