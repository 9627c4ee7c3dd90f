import CRACShims

/// Whether it pays to wait awake for a moment before going to sleep: where two threads answer each
/// other, waking one costs many times what the other needs for its answer.
///
/// Waiting awake in vain is time that somebody else could have used: `spent` keeps the account, of
/// which a quick answer takes something off. A nap that was short begins it. It is over after some
/// tries in vain, which are paid for with a pause of 64 times what they took, or twice that, and
/// then forgotten, whatever has been learnt: threads and their load move. A pause is cut short at a
/// time that is a multiple of itself, the same for all. So two threads that sleep, each because the
/// other one does, try at once, or they would find each other asleep for ever.
///
/// Where the call that ended the nap came from this very processor, looking all the time would keep
/// the other side from answering. It is let have the processor instead, which takes less than
/// falling asleep and being woken; and as both could run at any time, the system moves one of them
/// to a processor that has nothing to do. But where there is a third one that never sleeps that one
/// gets a whole slice of time, in which no answer is heard.
struct SpinPolicy {
  /// Nanoseconds. Once both sides wait awake, an answer comes sooner than this, which is less than
  /// what falling asleep and waking up take …
  static let usual: Int64 = 10_000
  /// … but a later one, where the other side has to be woken, in the time of the last wait and nap
  /// and a half: no two take the same. Of such that took this long most was not falling asleep and
  /// waking up.
  static let longest: Int64 = 300_000
  /// No process that takes the shared processor keeps it for longer.
  static let slice: Int64 = 10_000_000
  /// Tries that may be in vain: the other side is on its way to wait awake, too.
  static let tries: Int64 = 4
  /// So many times what was waited is the pause.
  private static let payback: Int64 = 64
  /// What a quick answer pays back: less than it saves.
  private static let reward: Int64 = 1_000
  /// After so many, and not in between, the clock is looked at.
  private static let looks = 12
  /// After so many waits that let the other side have the processor it is looked whether it needs
  /// it.
  private static let checked: Int32 = 64

  private(set) var isWorthwhile = false
  /// How long a wait may take now.
  private(set) var limit = SpinPolicy.usual
  /// The same where the other side has to be woken.
  private var limitOfLate = SpinPolicy.usual
  /// What was waited in vain and not paid back.
  private var spent: Int64 = 0
  /// What was waited in vain before the nap.
  private var lead: Int64 = 0
  /// The end of the pause.
  private var notBefore: Int64 = 0
  /// The other side has this very processor, and is let have it while this one waits.
  private(set) var isSharing = false
  /// Waits that did so.
  private var turns: Int32 = 0
  private let mayShare: Bool

  init(mayShare: Bool = false) { self.mayShare = mayShare }

  // MARK: Awake

  /// Waits awake, for a moment, and not past the deadline. What the condition said last. Who begins
  /// to let the other side have the processor, which may be for a slice, calls `lettingGo` first,
  /// and looks once more; who has a deadline sooner than that does not let it have it.
  @inline(__always)
  mutating func wait(
    until deadline: Int64 = .max, lettingGo: () -> Void = {}, _ condition: () -> Bool
  ) -> Bool {
    if condition() { return true }
    var hasLetGo = isSharing
    var start: Int64 = 0
    var now: Int64 = 0
    var pauses = 1
    var looks = looksAtFirst()
    while true {
      if looks > 0 {
        repeat {
          if condition() {
            isSharing = false
            isAnswered(after: now &- start, at: now)
            return true
          }
          SpinPolicy.pause(pauses)
          looks &-= 1
        } while looks > 0
        // Looking all the time would slow down whoever is about to write.
        pauses = 4
      }
      now = rac_shim_now()
      if start == 0 { start = now }
      if now &- start >= limit || now >= deadline { break }
      if isSharing || mayShare && now &- start >= SpinPolicy.usual {
        if deadline &- now < SpinPolicy.slice { break }
        if hasLetGo {
          share()
        } else {
          hasLetGo = true
          lettingGo()
        }
        if condition() {
          now = rac_shim_now()
          isAnswered(after: now &- start, at: now)
          return true
        }
      } else {
        looks = SpinPolicy.looks
      }
    }
    isInVain(after: now &- start, at: now)
    return false
  }

  /// None where the processor is shared; but now and then it is seen whether it still is.
  @inline(__always)
  private mutating func looksAtFirst() -> Int {
    if !isSharing { return SpinPolicy.looks }
    turns &+= 1
    return turns % SpinPolicy.checked == 0 ? 4 &* SpinPolicy.looks : 0
  }

  @inline(__always)
  private mutating func share() {
    if !isSharing {
      isSharing = true
      // Perhaps the other side only took long to be woken: that is seen at once.
      turns = -1
    }
    rac_shim_yield()
  }

  @inline(__always)
  private static func pause(_ times: Int) {
    var left = times
    while left > 0 {
      rac_shim_pause()
      left &-= 1
    }
  }

  @inline(__always)
  mutating func isAnswered(after waited: Int64, at now: Int64) {
    if waited > SpinPolicy.usual { return spend(waited, at: now) }
    if spent > 0 { spent = max(0, spent &- SpinPolicy.reward) }
    lead = 0
    limit = SpinPolicy.usual
  }

  mutating func isInVain(after waited: Int64, at now: Int64) {
    lead = min(waited, limit)
    spend(waited, at: now)
  }

  /// A late answer would not have taken longer asleep, but for the time of waking up; and from now
  /// on the other side has to be woken. Who was interrupted meanwhile has waited no longer than it
  /// meant to, but who shares the processor has lost what others took of it; of a process that was
  /// stopped for hours that says nothing.
  private mutating func spend(_ waited: Int64, at now: Int64) {
    spent &+= min(waited, isSharing ? SpinPolicy.slice : limit)
    limit = limitOfLate
    if spent >= SpinPolicy.tries &* limitOfLate { giveUp(at: now) }
  }

  private mutating func giveUp(at now: Int64) {
    // A power of two, of whose multiples those of the longer ones are some.
    let pause = Int64(1) &<< Int64(64 &- (spent &* SpinPolicy.payback).leadingZeroBitCount)
    notBefore = (now & ~(pause &- 1)) &+ pause
    spent = 0
    isSharing = false
    isWorthwhile = false
  }

  // MARK: Asleep

  /// Before a nap: when it begins.
  func fallsAsleep() -> Int64 { rac_shim_now() }

  /// Somebody has called, on that processor.
  mutating func isWoken(since start: Int64, from processor: Int32) {
    // The system may not say.
    let isFromHere = processor >= 0 && processor == rac_shim_processor()
    isWoken(since: start, at: rac_shim_now(), fromHere: isFromHere)
  }

  mutating func isWoken(since start: Int64, at now: Int64, fromHere: Bool) {
    let nap = now &- start &+ lead
    lead = 0
    isSharing = fromHere && mayShare
    if fromHere && !mayShare {
      isWorthwhile = false
    } else if nap < SpinPolicy.longest && now >= notBefore {
      limitOfLate = max(SpinPolicy.usual, nap &+ nap / 2)
      limit = limitOfLate
      isWorthwhile = true
    }
  }
}
