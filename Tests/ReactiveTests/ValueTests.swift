import CRAC
import Foundation
import Reactive
import XCTest

/// Values of every kind come out as they went in, and are let go of.
final class ValueTests: FaceTestCase {
  private func roundTrip<T: Sendable & Equatable>(
    _ values: T..., file: StaticString = #filePath, line: UInt = #line
  ) {
    let subject = Subject<T>(current: values[0])
    let heard = Heard<T>()
    let same = subject.map { $0 }.filter { _ in true }.scan(values[0]) { _, next in next }
    let subscription = same.observe { heard($0) }
    for value in values { subject.send(value) }
    subscription.dispose()
    XCTAssertEqual(heard.all, [values[0]] + values, file: file, line: line)
  }

  private enum Direction: Sendable { case left, right }
  private struct Point: Sendable, Equatable { var x, y, z: Double }
  private struct Small: Sendable, Equatable { var a: Int32; var b: UInt8 }

  func testNumbers() {
    roundTrip(0, 1, -1, Int.max, Int.min)
    roundTrip(Int8.min, 0, Int8.max)
    roundTrip(UInt8.max, 0)
    roundTrip(Int16.min, Int16.max)
    roundTrip(UInt16.max)
    roundTrip(Int32.min, Int32.max)
    roundTrip(UInt32.max)
    roundTrip(Int64.min, Int64.max)
    roundTrip(UInt64.max, 0)
    roundTrip(UInt.max, 0)
    roundTrip(1.5, -0.0, .infinity, .greatestFiniteMagnitude)
    roundTrip(Float(0.1), -.infinity)
    roundTrip(true, false)
  }

  func testOtherTypes() {
    roundTrip(Direction.left, .right)
    roundTrip(Small(a: -1, b: 255), Small(a: 0, b: 0))
    roundTrip(Point(x: 1, y: 2, z: 3))
    roundTrip("", "short", "a string that is too long for the small form", "\u{0}", "é🙂")
    roundTrip([1, 2, 3], [])
    roundTrip(["a": 1])
    roundTrip(Int?.none, 1)
    roundTrip(Int32?.none, 1)
    roundTrip(String?.none, "x")
    roundTrip(Character("🙂"), "x")
  }

  /// A box has its memory from the thread if it is small, and else its own.
  func testLargeAndAlignedTypes() {
    roundTrip(SIMD8<Double>(repeating: 1), SIMD8(repeating: -1))
    roundTrip(Large(), Large(last: "an end that is too long for the small form"))
  }

  private struct Large: Sendable, Equatable {
    var numbers = SIMD16<Int>(repeating: 7)
    var last = ""
  }

  /// Boxes that one thread makes and another one ends.
  func testBoxesBetweenThreads() {
    let subject = Subject<Holder>()
    let ended = expectation(description: "ended")
    subject.prefix(1_000).deliver(on: .background()).suffix(1).observe {
      XCTAssertEqual($0.number, 1_000)
    } completion: { _ in
      ended.fulfill()
    }
    for number in 1...1_000 { subject.send(Holder(number: number, counted: Counted(number))) }
    wait(for: [ended], timeout: 30)
    let deadline = Date(timeIntervalSinceNow: 30)
    while Counted.alive != 0 && Date() < deadline { usleep(1000) }
    XCTAssertEqual(Counted.alive, 0)
  }

  private struct Holder: Sendable {
    let number: Int
    let counted: Counted
  }

  func testVoid() {
    let subject = Subject<Void>()
    let heard = Heard<Int>()
    subject.map { 1 }.observe { heard($0) }
    subject.send()
    XCTAssertEqual(heard.all, [1])
  }

  func testInstances() {
    do {
      let subject = Subject<Counted>(replaying: 2)
      let heard = Heard<ObjectIdentifier>()
      subject.map { $0 }.observe { heard(ObjectIdentifier($0)) }
      let first = Counted(1)
      subject.send(first)
      XCTAssertEqual(heard.all, [ObjectIdentifier(first)])
      for number in 2...10 { subject.send(Counted(number)) }
      XCTAssertEqual(Counted.alive, 3)
    }
    XCTAssertEqual(Counted.alive, 0)
  }

  func testBoxedValuesAreLetGoOf() {
    do {
      let subject = Subject<[Counted]>(current: [Counted(0), Counted(1)])
      subject.map { $0 + $0 }.observe { XCTAssertEqual($0.count, 4) }
      XCTAssertEqual(Counted.alive, 2)
    }
    XCTAssertEqual(Counted.alive, 0)
  }

  private struct Failure: Error { let instance: Counted }

  func testErrorsAreTheSameInstance() {
    do {
      let instance = Counted(1)
      let heard = Heard<ObjectIdentifier>()
      Signal<Int>.fail(Failure(instance: instance)).map { $0 }.observe { _ in
      } completion: {
        if case .failed(let error as Failure) = $0 { heard(ObjectIdentifier(error.instance)) }
      }
      Signal.just(1).map { _ -> Int in throw Failure(instance: instance) }.observe { _ in
      } completion: {
        if case .failed(let error as Failure) = $0 { heard(ObjectIdentifier(error.instance)) }
      }
      XCTAssertEqual(heard.all, [ObjectIdentifier(instance), ObjectIdentifier(instance)])
    }
    XCTAssertEqual(Counted.alive, 0)
  }
}

/// Signals that come from C, and go there.
final class HandleTests: FaceTestCase {
  private func hear<T: Sendable>(_ value: rac_value, as type: T.Type) -> [String] {
    let heard = Heard<String>()
    let subject = rac_subject_create()
    Signal<T>(handle: rac_subject_as_signal(subject)).map { $0 }.record(in: heard)
    rac_subject_send(subject, value)
    rac_release(UnsafeMutableRawPointer(subject))
    return heard.all
  }

  private enum Direction: Sendable { case left, right }

  func testValuesOfC() {
    let text = rac_value_string_copy("text", 4)
    defer { rac_value_release(text) }
    XCTAssertEqual(hear(rac_int64(1), as: Int.self), ["1"])
    XCTAssertEqual(hear(rac_int64(255), as: UInt8.self), ["255"])
    XCTAssertEqual(hear(rac_double(1.5), as: Double.self), ["1.5"])
    XCTAssertEqual(hear(rac_bool(true), as: Bool.self), ["true"])
    XCTAssertEqual(hear(text, as: String.self), ["text"])
  }

  /// A value of another type is an error of the stream, never read as what it is not.
  func testValuesOfAnotherType() {
    for heard in [
      hear(rac_double(1), as: Int.self), hear(rac_int64(256), as: UInt8.self),
      hear(rac_int64(1), as: Bool.self), hear(rac_int64(1), as: Direction.self),
      hear(rac_value_pointer(UnsafeMutableRawPointer(bitPattern: 9), nil, nil), as: Direction.self),
      hear(rac_int64(1), as: String.self), hear(rac_value_nil(), as: Counted.self),
      hear(rac_value_unit(), as: [Int].self), hear(rac_int64(1), as: Void.self),
    ] {
      XCTAssertEqual(heard.count, 1)
      XCTAssertTrue(heard[0].contains("is not a value of type"), heard[0])
    }
  }

  /// C gave none: the signal fails, with why where C said it.
  func testWhatIsNoSignal() {
    let heard = Heard<Int>()
    func hear(_ handle: OpaquePointer?) {
      Signal<Int>(handle: handle).observe { _ in
        XCTFail("a value")
      } completion: {
        if case .failed(let error as EngineError) = $0 { heard(error.code) }
      }
    }
    hear(nil)
    hear(OpaquePointer(bitPattern: 0x1234_5678))
    hear(rac_scheduler_main())
    let source = rac_signal_never()
    hear(rac_signal_delay(source, -1, nil))
    rac_release(UnsafeMutableRawPointer(source))
    XCTAssertEqual(heard.all, [RAC_ENULL, RAC_ESTALE, RAC_EKIND, RAC_EINVAL].map(Int.init))
  }

  /// Through C and back: the same type comes out, and only that.
  func testAnExportedSignal() {
    let heard = Heard<String>()
    do {
      let subject = Subject<[Counted]>(current: [Counted(1)])
      let handle = subject.signal.makeHandle()
      XCTAssertEqual(rac_subject_send(handle, rac_int64(1)), RAC_EKIND)
      Signal<[Counted]>(handle: handle).map { $0.count }.record(in: heard)
      Signal<[Int]>(handle: handle).map { _ in 0 }.observe { heard("\($0)") }
      rac_release(UnsafeMutableRawPointer(handle))
      subject.send([])
    }
    XCTAssertEqual(heard.all, ["1", "0"])
    XCTAssertEqual(Counted.alive, 0)
  }
}
