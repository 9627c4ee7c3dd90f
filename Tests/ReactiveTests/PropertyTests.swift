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

  /// Values that travel in boxes: of a type, behind an optional, and without an `==`.
  func testDistinctBoxes() {
    struct Plain { var text = "a" }
    let heard = Heard<String>()
    let text = Property("a", distinct: true)
    let optional = Property<String?>("a", distinct: true)
    let list = Property([1, 2], distinct: true)
    let plain = Property(Plain(), distinct: true)
    text.observe { heard($0) }
    optional.observe { heard($0 ?? "nil") }
    list.observe { heard("\($0)") }
    plain.observe { heard($0.text) }
    for _ in 0..<2 {
      text.value = "b"
      optional.value = nil
      list.value = [3]
    }
    plain.value = Plain()
    XCTAssertEqual(heard.all, ["a", "a", "[1, 2]", "a", "b", "nil", "[3]", "a"])
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

  func testCombinedOfSeveral() {
    let heard = Heard<String>()
    let name = Property("Ada")
    let age = Property(36)
    let isMember = Property(true)
    let line = combine(name, age.mapped { $0 + 1 }, isMember) { "\($0) \($1) \($2)" }
    line.record(in: heard)
    Properties.batch {
      name.value = "Grace"
      age += 10
      XCTAssertEqual(line.value, "Grace 47 true")
    }
    isMember.value = false
    XCTAssertEqual(heard.all, ["Ada 37 true", "Grace 47 true", "Grace 47 false"])
    let n = Property(1)
    let sums: [DerivedProperty<Int>] = [
      combine(n, n) { $0 + $1 },
      combine(n, n, n) { $0 + $1 + $2 },
      combine(n, n, n, n) { $0 + $1 + $2 + $3 },
      combine(n, n, n, n, n) { $0 + $1 + $2 + $3 + $4 },
      combine(n, n, n, n, n, n) { $0 + $1 + $2 + $3 + $4 + $5 },
      combine(n, n, n, n, n, n, n) { $0 + $1 + $2 + $3 + $4 + $5 + $6 },
      combine(n, n, n, n, n, n, n, n) { $0 + $1 + $2 + $3 + $4 + $5 + $6 + $7 },
    ]
    XCTAssertEqual(sums.map(\.value), Array(2...8))
    let total = combine(sums) { $0.reduce(0, +) }
    n.value = 2
    XCTAssertEqual(total.value, 70)
    let none = combine([Property<Int>]()) { $0.count }
    XCTAssertEqual(none.value, 0)
  }

  private struct Address: Sendable, Equatable { var city = "Turin", street = "" }
  private struct Form: Sendable, Equatable {
    var name = "Ada"
    var age = 36
    var address = Address()
    var notes: [String] = []
  }

  func testLenses() {
    let heard = Heard<String>()
    do {
      let form = Property(Form())
      let name = form[\.name]
      let city = form[\.address][\.city]
      name.record(in: heard)
      city.record(in: heard)
      name.value = "Grace"
      form[\.age] += 1
      form[\.age] -= 3
      city.value = "Milan"
      form[\.notes].modify { $0.append("new") }
      form.value = Form(name: "Grace", age: 7)
      XCTAssertEqual(name.set("Grace"), .delivered)
      XCTAssertEqual(form.value, Form(name: "Grace", age: 7))
      XCTAssertEqual("\(name) \(city.value)", "Lens<String>(Grace) Turin")
      let line = combine(name, city) { "\($0) of \($1)" }
      Properties.batch {
        name.value = "Emmy"
        city.value = "Erlangen"
        XCTAssertEqual([name.value, form.value.address.city], ["Emmy", "Erlangen"])
        XCTAssertEqual(line.value, "Emmy of Erlangen")
      }
      XCTAssertEqual(line.value, "Emmy of Erlangen")
    }
    XCTAssertEqual(
      Set(heard.all),
      ["Ada", "Turin", "Grace", "Milan", "Emmy", "Erlangen", "|"])
    XCTAssertEqual(heard.all.filter { $0 == "Grace" || $0 == "Turin" }.count, 3)
    XCTAssertEqual(heard.all.filter { $0 == "|" }.count, 2)
  }

  /// Two threads add to one number and to two parts of one value.
  func testChangesInOneStep() {
    let count = Property(0)
    let form = Property(Form(age: 0))
    let age = form[\.age]
    let notes = form[\.notes]
    DispatchQueue.concurrentPerform(iterations: 2) { number in
      for _ in 0..<200 {
        count += 2
        count -= 1
        if number == 0 { age += 1 } else { notes.modify { $0.append("") } }
      }
    }
    // Some come in their turn, which the other thread may be taking still.
    let deadline = Date(timeIntervalSinceNow: 30)
    while count.value < 400 || age.value < 200 || notes.value.count < 200, Date() < deadline {
      usleep(100)
    }
    XCTAssertEqual([count.value, age.value, notes.value.count], [400, 200, 200])
  }

  /// A form with an observer for each field, and every edit taken back.
  func testUndo() {
    struct Wide: Sendable, Equatable { var a = 0, b = 0, c = 0, d = 0, e = "", f = "", g = "" }
    let form = Property(Wide())
    let heard = Heard<Int>()
    form[\.a].observe { heard($0) }
    form[\.g].observe { heard($0.count) }
    var past: [Wide] = []
    for number in 1...100 {
      past.append(form.value)
      if number % 2 == 0 { form[\.a].value = number } else { form[\.g].modify { $0 += "x" } }
    }
    heard.empty()
    while let last = past.popLast() { form.value = last }
    XCTAssertEqual(form.value, Wide())
    XCTAssertEqual(heard.count, 100)
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
