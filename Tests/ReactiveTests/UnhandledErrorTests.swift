import CRAC
import Reactive
import XCTest

/// Errors that nobody handles are told of.
final class UnhandledErrorTests: FaceTestCase {
  struct Failure: Error, CustomStringConvertible {
    var description: String { "no luck today" }
  }

  private func fail(in property: Property<Int>) throws {
    let subject = Subject<Int>()
    subject.map { number -> Int in
      if number < 2 { return number }
      throw Failure()
    }.named("numbers").observe { _ in }
    try property.bind(to: Signal<Int>.fail(Failure()))
    for number in 1...3 { subject.send(number) }
    // Not these: somebody hears of it, or nobody observes any more.
    Signal<Int>.fail(Failure()).observe({ _ in }, completion: { _ in })
    Signal<Int>.fail(Failure()).replaceError(with: 1).observe { _ in }
    let late = Subject<Int>()
    late.observe { _ in }.dispose()
    late.send(error: Failure())
  }

  func testTheHandler() throws {
    let told = Heard<UnhandledError>()
    UnhandledErrors.handler = { _ in XCTFail("was replaced") }
    UnhandledErrors.handler = { told($0) }
    defer { UnhandledErrors.handler = nil }
    try fail(in: Property(1))
    XCTAssertEqual(told.count, 2)
    XCTAssertEqual(told.all.filter { $0.error is Failure }.count, 2)
    XCTAssertEqual(told.all.filter { $0.chain.contains("numbers") }.count, 1)
    XCTAssertEqual(told.all.compactMap(\.value), [])
    XCTAssertTrue(
      told.all.contains { "\($0)" == "nobody handles the error of \"numbers\": no luck today" },
      "\(told.all)")
    // C knows at which value.
    let error = rac_value_error("c", 1, "no luck in C")
    var value = rac_int64(7)
    rac_report_unhandled_error("a chain", error, &value)
    rac_value_release(error)
    XCTAssertEqual(
      told.all.last?.description,
      "nobody handles the error of \"a chain\": no luck in C (c 1), at the value 7")
    UnhandledErrors.handler?(told.all[0])
    XCTAssertEqual(told.count, 4)
  }

  /// Without a handler it is a line in the log, with what Swift says of the error.
  func testTheLog() throws {
    let lines = Heard<String>()
    let context = Unmanaged.passRetained(lines)
    rac_set_log(
      context.toOpaque(),
      { context, line in
        Unmanaged<Heard<String>>.fromOpaque(context!).takeUnretainedValue()(String(cString: line!))
      }, { Unmanaged<Heard<String>>.fromOpaque($0!).release() })
    defer { rac_set_log(nil, nil, nil) }
    try fail(in: Property(1))
    XCTAssertEqual(lines.count, 2)
    XCTAssertEqual(lines.all.filter { $0.contains("no luck today") }.count, 2, "\(lines.all)")
    XCTAssertEqual(lines.all.filter { $0.contains("of \"numbers\"") }.count, 1, "\(lines.all)")
  }

  /// What could not even be subscribed to has failed, too.
  func testWhatCouldNotBeObserved() {
    let told = Heard<UnhandledError>()
    UnhandledErrors.handler = { told($0) }
    defer { UnhandledErrors.handler = nil }
    @Sendable func observe() {
      Signal<Int> { _ in if told.count == 0 { observe() } }.observe { _ in }
    }
    observe()
    XCTAssertEqual(told.all.map { ($0.error as? EngineError)?.code }, [Int(RAC_ERANGE)])
  }
}
