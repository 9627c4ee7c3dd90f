import CRAC
import Foundation
import Reactive
import XCTest

/// Threads that meet in the face: run under ThreadSanitizer, too.
final class ThreadTests: FaceTestCase {
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: count, execute: body)
    // What threads left to each other may still be on its way.
    XCTAssertEqual(rac_settle(60), RAC_OK)
  }

  func testManySenders() {
    let heard = Heard<Int>()
    let subject = Subject<String>()
    subject.map { Int($0)! }.observe { heard($0) }
    onThreads(4) { thread in
      for number in 0..<500 { subject.send("\(thread * 1000 + number)") }
    }
    XCTAssertEqual(Set(heard.all).count, 2000)
    for thread in 0..<4 {
      XCTAssertEqual(heard.all.filter { $0 / 1000 == thread }, (0..<500).map { thread * 1000 + $0 })
    }
  }

  func testModify() {
    let property = Property([0, 0])
    onThreads(4) { thread in
      for _ in 0..<500 { property.modify { $0[thread % 2] += 1 } }
    }
    XCTAssertEqual(property.value, [1000, 1000])
  }

  /// Observers come and go while values are sent; each is let go of.
  func testObserversThatComeAndGo() {
    do {
      let subject = Subject<Counted>(current: Counted(0))
      onThreads(4) { thread in
        for number in 0..<200 {
          if thread < 2 {
            subject.send(Counted(number))
          } else {
            let kept = Counted(number)
            let subscription = subject.observe { _ in withExtendedLifetime(kept) {} }
            if number % 2 == 0 { subscription.dispose() } else { _ = subscription.scoped() }
          }
        }
      }
      XCTAssertEqual(subject.observerCount, 0)
    }
    XCTAssertEqual(Counted.alive, 0)
  }

  /// A loop that is cancelled, a signal that ends, and values that come, all at a time.
  func testLoopsThatAreCancelled() async {
    let subject = Subject<Int>()
    let loops = (0..<8).map { _ in
      Task {
        var count = 0
        for try await _ in subject.values(buffering: .newest(4)) { count += 1 }
        return count
      }
    }
    let sender = Task { for number in 0..<2000 { subject.send(number) } }
    for loop in loops.prefix(4) { loop.cancel() }
    await sender.value
    // Those that had not begun to observe wait for the next end.
    let ending = Task {
      while !Task.isCancelled {
        subject.complete()
        await Task.yield()
      }
    }
    for loop in loops { _ = try? await loop.value }
    ending.cancel()
    XCTAssertEqual(subject.observerCount, 0)
  }
}
