import CRACShims
import XCTest

@testable import RAC

/// How often a thread looks before it parks.
final class SpinTests: XCTestCase {
  private func looks(_ spin: inout Spin, until deadline: Int64 = .max) -> Int {
    var looks = 0
    let answer = spin.wait(until: deadline) {
      looks += 1
      return false
    }
    XCTAssertFalse(answer)
    return looks
  }

  func testOneWaitInThirtyTwoIsLong() {
    var spin = Spin()
    let long = looks(&spin)
    let short = (1...31).map { _ in looks(&spin) }
    XCTAssertEqual(Set(short).count, 1)
    XCTAssertGreaterThan(long, short[0])
    XCTAssertGreaterThan(looks(&spin), short[0])
  }

  func testAWaitThatIsAnsweredCounts() {
    var spin = Spin()
    _ = looks(&spin)
    let short = looks(&spin)
    for _ in 1...30 {
      let answer = spin.wait { true }
      XCTAssertTrue(answer)
    }
    XCTAssertGreaterThan(looks(&spin), short)
  }

  func testANearDeadlineForbidsYields() {
    var spin = Spin()
    XCTAssertLessThan(looks(&spin, until: 0), looks(&spin))
  }

  func testAShortNapMakesItWorthwhile() {
    var spin = Spin()
    XCTAssertFalse(spin.isWorthwhile)
    spin.isWoken(since: rac_shim_now(), from: -1)
    XCTAssertTrue(spin.isWorthwhile)
    spin.forget()
    XCTAssertFalse(spin.isWorthwhile)
    spin.isWoken(since: rac_shim_now() - 1_000_000, from: -1)
    XCTAssertFalse(spin.isWorthwhile)
  }
}
