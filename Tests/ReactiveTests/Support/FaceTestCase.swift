import CRAC
import Foundation
import Reactive
import XCTest

/// Every test leaves as many of the library's objects behind as it found.
class FaceTestCase: XCTestCase {
  private var before: UInt64 = 0

  override func setUp() {
    super.setUp()
    _ = (Scheduler.main, Scheduler.immediate)
    before = rac_live_objects()
  }

  override func tearDown() {
    // Threads may be letting go of what they ran last.
    let deadline = Date(timeIntervalSinceNow: 30)
    while rac_live_objects() != before && Date() < deadline { usleep(1000) }
    XCTAssertEqual(rac_live_objects(), before)
    super.tearDown()
  }
}

/// What was heard, from whichever thread.
final class Heard<Value: Sendable>: @unchecked Sendable {
  // Guarded by the lock.
  private var heard: [Value] = []
  private let lock = NSLock()

  func callAsFunction(_ value: Value) { lock.withLock { heard.append(value) } }
  var all: [Value] { lock.withLock { heard } }
  var count: Int { all.count }
  func empty() { _ = lock.withLock { exchange(&heard, with: []) } }
}

extension SignalProtocol {
  /// Observes; values as text, "|" for a completion and "# and the error" for an error.
  @discardableResult
  func record(in heard: Heard<String>) -> Disposable {
    observe {
      heard("\($0)")
    } completion: {
      switch $0 {
      case .finished: heard("|")
      case .failed(let error): heard("# \(error)")
      }
    }
  }
}

/// Counts its instances.
final class Counted: Sendable {
  let number: Int
  private static let lock = NSLock()
  nonisolated(unsafe) private static var living = 0
  static var alive: Int { lock.withLock { living } }

  init(_ number: Int) {
    self.number = number
    Counted.lock.withLock { Counted.living += 1 }
  }

  deinit { Counted.lock.withLock { Counted.living -= 1 } }
}
