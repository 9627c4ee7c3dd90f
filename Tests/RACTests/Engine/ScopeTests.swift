import Synchronization
import XCTest

@testable import RAC

/// Counts how often it was disposed.
private final class Probe: Link {
  let count = Atomic<Int>(0)
  var disposals: Int { count.load(ordering: .acquiring) }

  override func dispose() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}

final class ScopeTests: LibraryTestCase {
  func testClosingDisposesEachLinkOnce() {
    let scope = Scope()
    let links = (0..<5).map { _ in Probe() }
    for link in links { scope.add(link) }
    XCTAssertTrue(scope.isActive)
    XCTAssertFalse(scope.isDisposed)
    XCTAssertTrue(scope.close())
    XCTAssertFalse(scope.close(), "only one caller ends it")
    scope.dispose()
    XCTAssertFalse(scope.isActive)
    XCTAssertTrue(scope.isDisposed)
    XCTAssertEqual(links.map { $0.disposals }, [1, 1, 1, 1, 1])
  }

  func testALinkThatLeftIsNotDisposed() {
    for leaving in 0..<4 {
      let scope = Scope()
      let links = (0..<4).map { _ in Probe() }
      for link in links { scope.add(link) }
      scope.remove(links[leaving])
      scope.remove(links[leaving])
      scope.close()
      XCTAssertEqual(links.map { $0.disposals }, (0..<4).map { $0 == leaving ? 0 : 1 })
    }
  }

  func testRemovingFromAnotherScopeDoesNothing() {
    let (home, other) = (Scope(), Scope())
    let link = Probe()
    home.add(link)
    other.remove(link)
    other.remove(Probe())
    home.close()
    XCTAssertEqual(link.disposals, 1)
  }

  func testALinkThatLeftMayJoinAnotherScope() {
    let (first, second) = (Scope(), Scope())
    let link = Probe()
    first.add(link)
    first.remove(link)
    second.add(link)
    first.close()
    XCTAssertEqual(link.disposals, 0)
    second.close()
    XCTAssertEqual(link.disposals, 1)
  }

  func testALateLinkIsDisposedAtOnce() {
    let scope = Scope()
    scope.close()
    let link = Probe()
    scope.add(link)
    XCTAssertEqual(link.disposals, 1)
  }

  func testScopesNest() {
    let (outer, inner) = (Scope(), Scope())
    let link = Probe()
    inner.add(link)
    outer.add(inner)
    outer.close()
    XCTAssertTrue(inner.isDisposed)
    XCTAssertEqual(link.disposals, 1)
  }

  func testAddRemoveAndCloseFromThreeThreads() {
    for _ in 0..<200 {
      let scope = Scope()
      let links = (0..<60).map { _ in Probe() }
      for link in links[..<30] { scope.add(link) }
      let closers = Guarded(0)
      inParallel(4) { thread in
        switch thread {
        case 0: for link in links[30...] { scope.add(link) }
        case 1: for link in links[..<15] { scope.remove(link) }
        default: if scope.close() { closers.with { $0 += 1 } }
        }
      }
      XCTAssertEqual(closers.value, 1)
      XCTAssertTrue(links[..<15].allSatisfy { $0.disposals <= 1 })
      XCTAssertTrue(links[15...].allSatisfy { $0.disposals == 1 })
    }
  }

  func testALongListNeedsNoStack() {
    onSmallStack {
      var scope: Scope? = Scope()
      for _ in 0..<200_000 { scope!.add(Probe()) }
      scope = nil
    }
  }

  func testWaitingUntilDrained() {
    let scope = Scope()
    XCTAssertFalse(scope.drained.wait(timeout: 1_000_000))
    XCTAssertFalse(scope.isDrained)
    inParallel(2) { thread in
      if thread == 0 {
        XCTAssertTrue(scope.drained.wait(timeout: -1))
      } else {
        usleep(2000)
        scope.markDrained()
      }
    }
    XCTAssertTrue(scope.isDrained)
    XCTAssertTrue(scope.drained.wait(timeout: 0))
  }
}
