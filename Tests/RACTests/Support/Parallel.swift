import Foundation

/// Runs the body on so many threads of its own at once and waits for all. The bodies start
/// together.
func inParallel(
  _ count: Int, stackSize: Int = 1 << 20, _ body: @escaping (_ number: Int) -> Void
) {
  let ready = DispatchSemaphore(value: 0)
  let start = DispatchSemaphore(value: 0)
  let done = DispatchSemaphore(value: 0)
  for number in 0..<count {
    let thread = Foundation.Thread {
      ready.signal()
      start.wait()
      body(number)
      done.signal()
    }
    thread.stackSize = stackSize
    thread.start()
  }
  for _ in 0..<count { ready.wait() }
  for _ in 0..<count { start.signal() }
  for _ in 0..<count { done.wait() }
}

/// Runs the body on a thread with a small stack: what recurses by the input's length dies there.
func onSmallStack(_ body: @escaping () -> Void) {
  inParallel(1, stackSize: 256 << 10) { _ in body() }
}

/// Something that several threads may change.
final class Guarded<Content>: @unchecked Sendable {
  private let lock = NSLock()
  private var content: Content

  init(_ content: Content) { self.content = content }

  @discardableResult
  func with<Result>(_ body: (inout Content) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&content)
  }

  var value: Content { with { $0 } }
}

/// A generator that gives the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
