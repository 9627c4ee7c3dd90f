import Observation
import Reactive
import XCTest

/// Properties in Observation.
final class TrackingTests: FaceTestCase {
  private struct Form: Sendable { var name = "Ada", age = 36 }

  private final class Settings {
    @Observed var volume = 1
    @Observed var title = ""
  }

  /// What `change` does is told once, and what it does a second time is not.
  private func assertTracked(
    _ read: () -> Void, by change: () -> Void, _ line: UInt = #line
  ) {
    let heard = Heard<Void>()
    withObservationTracking(read) { heard(()) }
    XCTAssertEqual(heard.count, 0, line: line)
    change()
    XCTAssertEqual(heard.count, 1, line: line)
    change()
    XCTAssertEqual(heard.count, 1, line: line)
  }

  func testWhatIsTracked() {
    let count = Property(0)
    let other = Property(0)
    let form = Property(Form())
    let age = form[\.age]
    let line = combine(count, age) { "\($0) \($1)" }
    let settings = Settings()
    for _ in 0..<2 {
      assertTracked({ _ = count.tracked }, by: { count += 1 })
      assertTracked({ _ = (count.tracked, other.tracked) }, by: { other += 1 })
      assertTracked({ _ = age.tracked }, by: { form.modify { $0.age += 1 } })
      assertTracked({ _ = line.tracked }, by: { age += 1 })
      assertTracked({ _ = settings.volume }, by: { settings.volume += 1 })
      assertTracked({ _ = settings.volume }, by: { settings.$volume += 1 })
    }
    let heard = Heard<Void>()
    withObservationTracking {
      _ = (age.tracked, settings.title)
    } onChange: {
      heard(())
    }
    form[\.name].value = "Grace"
    settings.volume = 7
    XCTAssertEqual(count.value, 4)
    _ = withObservationTracking({ other.value }, onChange: { heard(()) })
    other += 1
    XCTAssertEqual(heard.count, 0)
  }

  func testABatchIsOneChange() {
    let width = Property(1)
    let height = Property(1)
    let area = width.combined(with: height) { $0 * $1 }
    let heard = Heard<Int>()
    withObservationTracking {
      _ = area.tracked
    } onChange: {
      heard(area.value)
    }
    Properties.batch {
      width.value = 3
      height.value = 4
    }
    XCTAssertEqual(heard.all, [12])
  }

  /// The main actor hears the last value of another thread's changes, whenever they come.
  @MainActor func testObservations() async {
    let number = Property(0)
    let twice = number.mapped { $0 * 2 }
    let values = Observations { twice.tracked }
    var last = 0
    let thread = Thread { for value in 1...2000 { number.value = value } }
    thread.start()
    for await value in values {
      XCTAssertGreaterThanOrEqual(value, last)
      last = value
      if value == 4000 { break }
    }
    XCTAssertEqual(last, 4000)
    // A turn of the main actor's may be due still, and hold the tracker.
    await withCheckedContinuation { over in Scheduler.main.schedule { over.resume() } }
  }

  /// There and back.
  func testASignalOfObservations() async throws {
    let settings = Property(1)
    let signal = Signal(from: Observations { settings.tracked })
    let first = try await signal.first()
    XCTAssertEqual(first, 1)
  }
}
