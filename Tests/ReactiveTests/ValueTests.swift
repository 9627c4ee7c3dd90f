import CRAC
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
