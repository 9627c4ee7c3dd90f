import XCTest

@testable import RAC

/// All times are made up, in nanoseconds.
final class SpinPolicyTests: XCTestCase {
  private let ms: Int64 = 1_000_000

  func testOnlyShortNapsEndedFromAnotherProcessorMakeItWorthwhile() {
    var policy = SpinPolicy()
    XCTAssertFalse(policy.isWorthwhile)
    policy.isWoken(since: 1, at: 4_000, fromHere: true)
    XCTAssertFalse(policy.isWorthwhile)
    policy.isWoken(since: 1, at: 1 + SpinPolicy.longest, fromHere: false)
    XCTAssertFalse(policy.isWorthwhile)
    policy.isWoken(since: 1, at: 60_001, fromHere: false)
    XCTAssertTrue(policy.isWorthwhile)
    XCTAssertEqual(policy.limit, 90_000)
    policy.isWoken(since: 1, at: 4_000, fromHere: true)
    XCTAssertFalse(policy.isWorthwhile)
  }

  func testWhatWasWaitedBeforeTheNapIsPartOfIt() {
    var policy = SpinPolicy()
    policy.isWoken(since: 1, at: 40_001, fromHere: false)
    policy.isInVain(after: policy.limit, at: 100_000)
    policy.isWoken(since: 100_000, at: 120_000, fromHere: false)
    XCTAssertEqual(policy.limit, 120_000, "60 µs awake and 20 asleep")
    policy.isInVain(after: policy.limit, at: 300_000)
    policy.isWoken(since: 300_000, at: 300_000 + SpinPolicy.longest - 120_000, fromHere: false)
    XCTAssertEqual(policy.limit, 120_000, "that was long")
  }

  func testQuickAnswersPayForWaitsInVain() {
    var policy = SpinPolicy()
    policy.isWoken(since: 1, at: 60_001, fromHere: false)
    for _ in 0..<100 {
      policy.isAnswered(after: 500, at: 60_001)
      XCTAssertEqual(policy.limit, SpinPolicy.usual)
      policy.isInVain(after: policy.limit, at: 70_001)
      XCTAssertEqual(policy.limit, 90_000, "the other side has to be woken now")
      for _ in 0..<9 { policy.isAnswered(after: 500, at: 60_001) }
    }
    XCTAssertTrue(policy.isWorthwhile)
    for _ in 0..<100 {
      policy.isAnswered(after: 500, at: 60_001)
      policy.isInVain(after: policy.limit, at: 70_001)
    }
    XCTAssertFalse(policy.isWorthwhile, "nine of ten microseconds were in vain")
  }

  /// The share of a second that is waited awake where naps are short and no answer is quick.
  private func waste(_ answer: (inout SpinPolicy, Int64) -> Void) -> Double {
    var policy = SpinPolicy()
    var now: Int64 = 1
    var waited: Int64 = 0
    while now < 1000 * ms {
      if policy.isWorthwhile {
        let limit = policy.limit
        now += limit
        waited += limit
        answer(&policy, now)
      }
      now += 60_000
      policy.isWoken(since: now - 60_000, at: now, fromHere: false)
    }
    return Double(waited) / Double(1000 * ms)
  }

  func testWaitsInVainTakeLittleOfTheTime() {
    let share = waste { $0.isInVain(after: $0.limit, at: $1) }
    XCTAssertLessThan(share, 0.02)
    XCTAssertGreaterThan(share, 0.001, "it is tried again")
  }

  func testLateAnswersTakeLittleOfTheTime() {
    let share = waste { $0.isAnswered(after: $0.limit, at: $1) }
    XCTAssertLessThan(share, 0.02)
    XCTAssertGreaterThan(share, 0.001, "it is tried again")
  }

  func testWhoWasInterruptedHasNotWaitedAsLongAsThat() {
    var policy = SpinPolicy()
    policy.isWoken(since: 1, at: 60_001, fromHere: false)
    for _ in 0..<SpinPolicy.tries {
      XCTAssertTrue(policy.isWorthwhile)
      policy.isInVain(after: 5000 * ms, at: 5000 * ms)
    }
    XCTAssertFalse(policy.isWorthwhile)
    policy.isWoken(since: 5050 * ms, at: 5050 * ms + 60_000, fromHere: false)
    XCTAssertTrue(policy.isWorthwhile)
  }

  // MARK: One processor

  func testWhoeverSharesItsProcessorLetsTheOtherSideHaveIt() {
    var policy = SpinPolicy(mayShare: true)
    policy.isWoken(since: 1, at: 4_001, fromHere: true)
    XCTAssertTrue(policy.isWorthwhile)
    XCTAssertTrue(policy.isSharing)
    policy.isWoken(since: 1, at: 4_001, fromHere: false)
    XCTAssertFalse(policy.isSharing)
  }

  func testSharingEndsWhenTheOtherSideHasAProcessorOfItsOwn() {
    var policy = SpinPolicy(mayShare: true)
    policy.isWoken(since: 1, at: 4_001, fromHere: true)
    for _ in 0..<64 {
      var looks = 0
      XCTAssertTrue(
        policy.wait {
          looks += 1
          return looks > 1
        })
    }
    XCTAssertFalse(policy.isSharing)
    XCTAssertTrue(policy.isWorthwhile)
  }

  func testWhoeverFindsNobodyThereSleeps() {
    var policy = SpinPolicy(mayShare: true)
    policy.isWoken(since: 1, at: 4_001, fromHere: true)
    var waits = 0
    while policy.isWorthwhile && waits < 100 {
      XCTAssertFalse(policy.wait { false })
      waits += 1
    }
    XCTAssertLessThanOrEqual(waits, Int(SpinPolicy.tries))
    XCTAssertFalse(policy.isSharing)
  }

  func testALookoutGivesThatUpAndLooksOnceMoreBeforeItLetsOthersHaveTheProcessor() {
    var policy = SpinPolicy(mayShare: true)
    policy.isWoken(since: 1, at: 200_001, fromHere: false)
    var isLookout = true
    var wasThere = false
    XCTAssertTrue(
      policy.wait(lettingGo: { isLookout = false }) {
        // What comes just before it does is seen.
        wasThere = wasThere || !isLookout
        return wasThere
      })
    XCTAssertFalse(isLookout)
    var calls = 0
    policy.isWoken(since: 1, at: 4_001, fromHere: true)
    XCTAssertFalse(policy.wait(lettingGo: { calls += 1 }) { false })
    XCTAssertEqual(calls, 0, "it was none")
  }

  func testNobodyWaitsAwakePastADeadline() {
    var policy = SpinPolicy()
    policy.isWoken(since: 1, at: SpinPolicy.longest, fromHere: false)
    XCTAssertGreaterThan(policy.limit, 400_000)
    var shortest = Int64.max
    // Somebody else may have had the processor.
    for _ in 0..<3 {
      let start = policy.fallsAsleep()
      XCTAssertFalse(policy.wait(until: start + 1_000) { false })
      shortest = min(shortest, policy.fallsAsleep() - start)
    }
    XCTAssertLessThan(shortest, 200_000)
  }

  /// The process was stopped.
  func testHoursAreNotPaidForWithDays() {
    var policy = SpinPolicy(mayShare: true)
    policy.isWoken(since: 1, at: 4_001, fromHere: true)
    policy.isInVain(after: 3_600_000 * ms, at: 3_600_000 * ms)
    XCTAssertFalse(policy.isWorthwhile)
    let later = 3_602_000 * ms
    policy.isWoken(since: later, at: later + 4_000, fromHere: true)
    XCTAssertTrue(policy.isWorthwhile)
  }

  /// A third one had the processor for three milliseconds.
  func testALostSliceIsPaidForWhetherThereIsAnAnswerOrNot() {
    for isThere in [false, true] {
      var policy = SpinPolicy(mayShare: true)
      policy.isWoken(since: 1, at: 4_001, fromHere: true)
      if isThere {
        policy.isAnswered(after: 3 * ms, at: 4 * ms)
      } else {
        policy.isInVain(after: 3 * ms, at: 4 * ms)
      }
      XCTAssertFalse(policy.isWorthwhile)
      policy.isWoken(since: 150 * ms, at: 150 * ms + 4_000, fromHere: true)
      XCTAssertFalse(policy.isWorthwhile)
      policy.isWoken(since: 300 * ms, at: 300 * ms + 4_000, fromHere: true)
      XCTAssertTrue(policy.isWorthwhile)
    }
  }

  // MARK: Two sides

  /// Two that answer each other on two processors, where waking one takes 30 µs, or up to 70.
  private struct Rally {
    var sides = (SpinPolicy(), SpinPolicy())
    /// So many nanoseconds more, now these, now those.
    var scatter: Int64 = 0
    private var seed: Int64 = 1
    private var now: Int64 = 1
    /// Since when the one that is to answer next has waited.
    private var since: Int64 = 1

    mutating func start(at time: Int64) {
      now = time
      since = time
    }

    /// Nobody answers for so long.
    mutating func rest(for time: Int64) { now += time }

    private mutating func wakingUp() -> Int64 {
      if scatter == 0 { return 30_000 }
      seed = (seed &* 1_103_515_245 &+ 12_345) & 0x7FFF_FFFF
      return 30_000 + (seed >> 8) % scatter
    }

    /// How many of so many ways began with waking the other side up.
    mutating func naps(in ways: Int, job: Int64) -> Int {
      var count = 0
      for _ in 0..<ways {
        if !cross(job) { count += 1 }
        swap(&sides.0, &sides.1)
      }
      return count
    }

    /// How many ways of those until then began with waking the other side up.
    mutating func play(until end: Int64, job: Int64) -> (ways: Int, naps: Int) {
      var count = (ways: 0, naps: 0)
      while now < end {
        if !cross(job) { count.naps += 1 }
        count.ways += 1
        swap(&sides.0, &sides.1)
      }
      return count
    }

    /// The first one has the turn, runs its job and calls the second one. False: who slept.
    private mutating func cross(_ job: Int64) -> Bool {
      now += job
      let begin = since
      var asleep = begin
      var isAwake = false
      if sides.1.isWorthwhile {
        let end = begin + sides.1.limit
        isAwake = now < end
        if isAwake {
          sides.1.isAnswered(after: now - begin, at: now)
        } else {
          sides.1.isInVain(after: end - begin, at: end)
          asleep = end
        }
      }
      since = now
      now += isAwake ? 200 : wakingUp()
      if !isAwake { sides.1.isWoken(since: asleep, at: now, fromHere: false) }
      return isAwake
    }
  }

  func testTwoThatAnswerEachOtherAreSoonBothAwake() {
    var rally = Rally()
    let count = rally.play(until: 1 * ms, job: 300)
    XCTAssertLessThan(count.naps, 10)
  }

  /// Bursts of 64 ways with nothing to do for 10 ms between them, and waking up takes now longer,
  /// now shorter.
  func testBurstsAreSoonAwake() {
    var rally = Rally()
    rally.scatter = 40_000
    var naps = 0
    for _ in 0..<200 {
      naps += rally.naps(in: 64, job: 300)
      rally.rest(for: 10 * ms)
    }
    XCTAssertLessThan(naps, 200 * 12, "of 64 each")
  }

  /// Each has found that it does not pay, at a time of its own.
  func testBothTryAtOnceWhateverWasLearnt() {
    for difference in 1..<12 {
      var rally = Rally()
      giveUp(&rally.sides.0, at: 50 * ms)
      giveUp(&rally.sides.1, at: (50 + Int64(difference)) * ms)
      rally.start(at: 62 * ms)
      _ = rally.play(until: 130 * ms, job: 300)
      let count = rally.play(until: 140 * ms, job: 300)
      XCTAssertEqual(count.naps, 0, "\(difference) ms after the other one")
    }
  }

  private func giveUp(_ policy: inout SpinPolicy, at now: Int64) {
    policy.isWoken(since: 1, at: 60_001, fromHere: false)
    while policy.isWorthwhile { policy.isAnswered(after: policy.limit, at: now) }
  }
}
