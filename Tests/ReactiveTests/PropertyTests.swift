import CRAC
import Reactive
import XCTest

final class PropertyTests: FaceTestCase {
  func testValues() {
    let heard = Heard<String>()
    do {
      let property = Property("a")
      property.record(in: heard)
      property.value = "b"
      XCTAssertEqual(property.value, "b")
      property.modify { $0 += "c" }
      XCTAssertEqual(property.value, "bc")
      XCTAssertEqual(property.set("bc"), .delivered)
    }
    XCTAssertEqual(heard.all, ["a", "b", "bc", "bc", "|"])
  }

  private struct Size: Equatable { var width: Double, height: Double, depth: Double }

  func testDistinct() {
    let heard = Heard<String>()
    let number = Property(1, distinct: true)
    let size = Property(Size(width: 1, height: 1, depth: 1), distinct: true)
    number.map { "\($0)" }.observe { heard($0) }
    size.map { "\($0.width)" }.observe { heard($0) }
    number.value = 1
    number.value = 2
    size.value = Size(width: 1, height: 1, depth: 1)
    size.value = Size(width: 2, height: 1, depth: 1)
    XCTAssertEqual(heard.all, ["1", "1.0", "2", "2.0"])
  }

  func testABatchReadsWhatItHasSet() {
    let heard = Heard<Int>()
    let count = Property(0)
    let twice = count.mapped { $0 * 2 }
    count.signal.observe { heard($0) }
    Properties.batch {
      count.value += 1
      count.value += 1
      count.modify { $0 += 10 }
      XCTAssertEqual([count.value, twice.value], [12, 24])
      let seen = Heard<Int>()
      let thread = Thread { seen(count.value + twice.value) }
      thread.start()
      while seen.all.isEmpty { usleep(100) }
      XCTAssertEqual(seen.all, [0])
    }
    XCTAssertEqual(heard.all, [0, 12])
  }

  func testDerived() {
    let heard = Heard<String>()
    let width = Property(2)
    let height = Property(3)
    let area = width.combined(with: height) { $0 * $1 }
    let text = area.mapped { "\($0) m²" }
    XCTAssertEqual(text.value, "6 m²")
    text.record(in: heard)
    width.changes.map { "\($0) to \($1)" }.record(in: heard)
    width.value = 4
    Properties.batch {
      width.value = 5
      height.value = 5
      XCTAssertEqual(area.value, 25)
    }
    XCTAssertEqual(text.value, "25 m²")
    XCTAssertEqual(Set(heard.all), ["6 m²", "12 m²", "2 to 4", "25 m²", "4 to 5"])
    XCTAssertEqual(heard.count, 5)
  }

  func testWhoObservesKeepsWhatIsDerived() throws {
    let heard = Heard<String>()
    let bound = Property("")
    do {
      let width = Property(2)
      width.mapped { $0 * 10 }.record(in: heard)
      width.mapped { $0 + 1 }.mapped { $0 * 100 }.changes.map { "\($0) to \($1)" }
        .record(in: heard)
      try bound.bind(to: width.combined(with: width.mapped { -$0 }) { "\($0) \($1)" })
      let disposed = width.mapped { $0 }.record(in: heard)
      disposed.dispose()
      width.value = 3
      XCTAssertEqual(bound.value, "3 -3")
    }
    // With what it is made of it ends.
    XCTAssertEqual(Set(heard.all), ["20", "2", "30", "300 to 400", "|"])
    XCTAssertEqual(heard.count, 6)
  }

  func testABatchThatThrows() {
    struct Failure: Error {}
    let property = Property(1)
    XCTAssertThrowsError(
      try Properties.batch {
        property.value = 2
        throw Failure()
      }
    ) { XCTAssertTrue($0 is Failure) }
    XCTAssertEqual(property.value, 1)
    XCTAssertEqual(Properties.batch { property.set(3) }, .queued)
    XCTAssertEqual(property.value, 3)
  }

  func testBindings() throws {
    let property = Property(0)
    let subject = Subject<Int>()
    let binding = try property.bind(to: subject)
    subject.send(5)
    XCTAssertEqual(property.value, 5)
    XCTAssertThrowsError(try property.bind(to: subject)) {
      XCTAssertEqual(($0 as? EngineError)?.code, Int(RAC_EBUSY))
    }
    XCTAssertThrowsError(try property.bindTwoWay(with: property))
    binding.dispose()
    subject.send(6)
    XCTAssertEqual(property.value, 5)
    try property.bind(to: subject)
    subject.send(7)
    XCTAssertEqual(property.value, 7)
  }

  func testTwoWay() throws {
    let number = Property(1)
    let same = Property(2)
    let text = Property("3")
    try number.bindTwoWay(with: same)
    try number.bindTwoWay(
      with: text, forward: { "\($0)" },
      backward: {
        struct NotANumber: Error {}
        guard let number = Int($0) else { throw NotANumber() }
        return number
      })
    XCTAssertEqual([number.value, same.value], [3, 3])
    same.value = 4
    XCTAssertEqual(text.value, "4")
    text.value = "5"
    text.value = "no number"
    XCTAssertEqual([number.value, same.value], [5, 5])
  }

  func testTerminalAndChannel() {
    let heard = Heard<String>()
    let property = Property("a")
    let terminal = property.terminal()
    terminal.record(in: heard)
    terminal.send("b")
    property.value = "c"
    XCTAssertEqual(heard.all, ["a", "c"])
    let channel = Channel<Int>()
    let following = Heard<String>()
    channel.leading.send(1)
    channel.following.record(in: following)
    channel.leading.record(in: heard)
    channel.following.send(2)
    channel.leading.send(3)
    channel.leading.complete()
    XCTAssertEqual(heard.all, ["a", "c", "2", "|"])
    XCTAssertEqual(following.all, ["1", "3", "|"])
  }

  func testAnAdapter() throws {
    struct TooLoud: Error {}
    let stored = Heard<Int>()
    stored(1)
    let property = Property<Int>(
      get: { stored.all.last! },
      set: { if $0 > 10 { throw TooLoud() } else { stored($0) } })
    property.value = 5
    XCTAssertFalse(property.set(11).isAccepted)
    XCTAssertEqual(property.value, 5)
  }

  func testObserved() {
    struct Settings {
      @Observed var volume = 0.5
    }
    let settings = Settings()
    let heard = Heard<Double>()
    settings.$volume.observe { heard($0) }
    settings.volume = 0.7
    settings.volume += 1
    XCTAssertEqual(heard.all, [0.5, 0.7, 1.7])
  }

  func testInstancesAreLetGoOf() {
    do {
      let property = Property(Counted(1))
      for number in 2...5 { property.value = Counted(number) }
      XCTAssertEqual(property.value.number, 5)
      XCTAssertEqual(property.mapped { $0.number }.value, 5)
      XCTAssertEqual(Counted.alive, 1)
    }
    XCTAssertEqual(Counted.alive, 0)
  }
}
