import Foundation
import Reactive
import XCTest

/// Servers and clients. Waits for what must come, never for a time to pass.
final class EndpointTests: FaceTestCase {
  private let worker = Scheduler.background(named: "endpoints")

  private func address(_ name: String = #function) -> String {
    "unix:@reactive-\(getpid())-\(name)"
  }

  func testLinesBothWays() async throws {
    let served = Heard<String>()
    let places = Subject<String>(replaying: 1)
    let service = Endpoint.listen(port: 0, listening: places, on: worker).serve { client in
      for try await line in client.lines.values(buffering: .waiting(4)) {
        try await client.write("you said: \(line)\n")
      }
    }.observe { served($0.error.map { "\($0)" } ?? "served") }
    let place = try await places.first()
    XCTAssertTrue(place.hasPrefix("127.0.0.1:"), place)
    do {
      let server = try await Endpoint.connect(to: place, on: worker).first()
      XCTAssertEqual(server.peer, place)
      try await server.write("one\ntwo\n")
      try await server.write("three")
      try await server.finish()
      var heard: [String] = []
      for try await line in server.lines.values { heard.append(line) }
      XCTAssertEqual(heard, ["you said: one", "you said: two", "you said: three"])
      do {
        try await server.write("four")
        XCTFail("it had been finished")
      } catch { XCTAssertEqual((error as? EngineError)?.systemErrorNumber, EPIPE) }
    }
    while served.count < 1 { await Task.yield() }
    XCTAssertEqual(served.all, ["served"])
    service.dispose()
  }

  /// Two megabytes through a place for 4096, to a side that begins to read later.
  func testWritingWaits() async throws {
    let place = address()
    let line = String(repeating: "x", count: 1023) + "\n"
    let written = Heard<Int>()
    let service = Endpoint.listen(at: place, waiting: 4096, on: worker).serve { client in
      for number in 1...2048 {
        try await client.write(line)
        written(number)
      }
      try await client.finish()
    }.observe { _ in }
    let server = try await Endpoint.connect(to: place, on: worker).first()
    while written.count < 4 { await Task.yield() }
    try await Task.sleep(for: .milliseconds(20))
    XCTAssertLessThan(written.count, 1500)
    let size = try await server.bytes.map { $0.count }.reduce(0, +).last()
    XCTAssertEqual(size, 2048 * 1024)
    service.dispose()
  }

  func testFrames() async throws {
    let place = address()
    let service = Endpoint.listen(at: place, on: worker).serve { client in
      for try await frame in client.frames().values {
        try await client.write(frame: frame.reversed(), byLengthOf: 2)
      }
    }.observe { _ in }
    do {
      let server = try await Endpoint.connect(to: place, on: worker).first()
      for frame in [[1, 2, 3], [], [7]] as [[UInt8]] { try await server.write(frame: frame) }
      try await server.finish()
      let frames = try await server.frames(byLengthOf: 2).collect().last()
      XCTAssertEqual(frames, [[3, 2, 1], [], [7]])
      do {
        try await server.write(frame: Array(repeating: 0, count: 256), byLengthOf: 1)
        XCTFail("too long")
      } catch { XCTAssertEqual((error as? EngineError)?.code, -5001) }
    }
    service.dispose()
  }

  /// One that goes while it is written to, and one that throws, end by themselves alone.
  func testClientsThatFail() async throws {
    struct Refused: Error {}
    let place = address()
    let served = Heard<String>()
    let service = Endpoint.listen(at: place, on: worker).serve { client in
      let line = try await client.lines.first()
      if line == "refuse" { throw Refused() }
      if line == "flood" { while true { try await client.write(line) } }
      try await client.write(line + "\n")
    }.observe { client in
      let number = (client.error as? EngineError)?.systemErrorNumber
      served(number.map { "\($0)" } ?? client.error.map { "\(type(of: $0))" } ?? "nil")
    }
    for (line, answer) in [("refuse", "Refused"), ("flood", "\(EPIPE)"), ("well", "nil")] {
      do {
        let server = try await Endpoint.connect(to: place, on: worker).first()
        try await server.write(line + "\n")
        if line == "well" {
          let answer = try await server.lines.first()
          XCTAssertEqual(answer, "well")
        } else if line == "flood" {
          _ = try await server.bytes.first()
        } else {
          let rest = try await server.lines.collect().last()
          XCTAssertEqual(rest, [])
        }
      }
      let count = ["refuse": 1, "flood": 2, "well": 3][line]!
      while served.count < count { await Task.yield() }
      let last = served.all.last ?? ""
      XCTAssertTrue(
        last.hasPrefix(answer) || line == "flood" && last == "\(ECONNRESET)", last)
    }
    service.dispose()
  }

  /// Clients that are there when the service stops are served to their end.
  func testAGracefulStop() async throws {
    let place = address()
    let stop = Subject<Void>()
    let heard = Heard<String>()
    Endpoint.listen(at: place, on: worker).prefixUntil(stop).serve { client in
      for try await line in client.lines.values { try await client.write(line + "!\n") }
    }.observe { _ in
      heard("served")
    } completion: { _ in
      heard("|")
    }
    do {
      let server = try await Endpoint.connect(to: place, on: worker).first()
      try await server.write("a\n")
      var answers = server.lines.values.makeAsyncIterator()
      let first = try await answers.next()
      stop.send()
      do {
        _ = try await Endpoint.connect(to: place, on: worker).first()
        XCTFail("nobody listens")
      } catch { XCTAssertEqual((error as? EngineError)?.systemErrorNumber, ECONNREFUSED) }
      try await server.write("b\n")
      let second = try await answers.next()
      XCTAssertEqual([first, second], ["a!", "b!"])
      try await server.finish()
    }
    while heard.count < 2 { await Task.yield() }
    XCTAssertEqual(heard.all, ["served", "|"])
  }
}
