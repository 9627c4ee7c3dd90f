import Foundation
import Reactive
import XCTest

/// What happens outside of the program. Waits for what must come, never for a time to pass.
final class SourceTests: FaceTestCase {
  private let worker = Scheduler.background(named: "sources")

  /// What a signal sends until its end, which must come.
  private func wait<T: Sendable>(
    _ signal: Signal<T>, _ file: StaticString = #filePath, _ line: UInt = #line
  )
    -> [String]
  {
    let heard = Heard<String>()
    let ended = expectation(description: "the end")
    signal.observe {
      heard("\($0)")
    } completion: {
      if case .failed(let error) = $0 {
        let number = (error as? EngineError)?.systemErrorNumber
        heard(number.map { "# \($0)" } ?? "# \(error)")
      } else {
        heard("|")
      }
      ended.fulfill()
    }
    wait(for: [ended], timeout: 60)
    return heard.all
  }

  private func pipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    XCTAssertEqual(Glibc.pipe(&ends), 0)
    return (ends[0], ends[1])
  }

  private func write(_ text: [UInt8], to descriptor: Int32) {
    XCTAssertEqual(Glibc.write(descriptor, text, text.count), text.count)
  }

  func testLinesAndBytes() {
    for wanted in [["a\u{FFFD}", "b", "c", "|"], ["[97, 255, 10, 98, 13, 10, 99]", "|"]] {
      let (read, end) = pipe()
      write([97, 255, 10, 98, 13, 10, 99], to: end)
      close(end)
      let heard =
        wanted.count == 4
        ? wait(.lines(from: read, closesDescriptor: true, on: worker))
        : wait(.bytes(from: read, closesDescriptor: true, on: worker))
      XCTAssertEqual(heard, wanted)
    }
    let (read, end) = pipe()
    write(Array("too long".utf8), to: end)
    close(end)
    let refused = wait(.lines(from: read, longest: 3, closesDescriptor: true, on: worker))
    XCTAssertEqual(refused.count, 1)
    XCTAssertTrue(refused.first?.hasPrefix("# ") ?? false, "\(refused)")
  }

  func testReadableAndWritable() {
    let (read, end) = pipe()
    XCTAssertEqual(wait(.writable(end, on: worker).prefix(1)), ["\(end)", "|"])
    write([1], to: end)
    XCTAssertEqual(wait(.readable(read, on: worker).prefix(1)), ["\(read)", "|"])
    close(read)
    XCTAssertEqual(wait(.writable(end, on: worker)).last, "# \(EPIPE)")
    close(end)
  }

  /// The descriptor is open until the answers have been given that the chain waits for.
  func testWhatAnswersLaterHasADescriptor() throws {
    var ends: [Int32] = [0, 0]
    XCTAssertEqual(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends), 0)
    let (served, client) = (ends[0], ends[1])
    write([1], to: client)
    XCTAssertEqual(shutdown(client, Int32(SHUT_WR)), 0)
    let isRead = Heard<Bool>()
    let heard = Heard<String>()
    let ended = expectation(description: "the end")
    // Nothing else has the signal.
    Signal.readable(served, closesDescriptor: true, on: worker)
      .handleNext { descriptor in
        var request: [UInt8] = [0, 0]
        _ = Glibc.read(descriptor, &request, 2)
      }
      .handleCompletion { isRead(true) }
      .flatMap { descriptor in
        Signal<String> {
          while isRead.count == 0 { try await Task.sleep(for: .milliseconds(1)) }
          let answer: [UInt8] = [2, 3]
          return Glibc.write(descriptor, answer, 2) == 2 ? "answered" : "errno \(errno)"
        }
      }
      .handleEnd { ended.fulfill() }
      .record(in: heard)
    wait(for: [ended], timeout: 60)
    XCTAssertEqual(heard.all.first, "answered")
    // The client hears the answer, and the end as soon as all is over.
    var answer: [UInt8] = [0, 0]
    XCTAssertEqual(Glibc.read(client, &answer, 2), 2)
    XCTAssertEqual(answer, [2, 3])
    XCTAssertEqual(Glibc.read(client, &answer, 2), 0)
    close(client)
  }

  func testWriting() {
    let (read, end) = pipe()
    XCTAssertEqual(
      wait(Signal(["ab", "", "c"]).written(to: end, closesDescriptor: true, on: worker)).last, "|")
    XCTAssertEqual(
      wait(.bytes(from: read, closesDescriptor: true, on: worker)), ["[97, 98, 99]", "|"])
    let (gone, broken) = pipe()
    close(gone)
    XCTAssertEqual(
      wait(Signal<[UInt8]>.just([1, 2]).written(to: broken, closesDescriptor: true, on: worker)),
      ["# \(EPIPE)"])
  }

  func testAConnection() {
    let address = "unix:@librac-swift"
    let listening = Subject<String>()
    let places = Heard<String>()
    listening.observe { places($0) }
    let worker = worker
    let service = Signal.connections(at: address, listening: listening, on: worker)
      .flatMap { socket in
        Signal.bytes(from: socket.descriptor, closesDescriptor: true, on: worker)
          .written(to: socket.descriptor, closesDescriptor: true, on: worker)
      }
      .observe { _ in }
    XCTAssertEqual(places.all, [address])
    let answers = Signal.connection(to: address, timeout: .seconds(10), on: worker)
      .flatMap { socket in
        let written = Signal<String>.just("a;b")
          .written(to: socket.descriptor, closesDescriptor: true, on: worker)
          .filter { _ in false }.map { _ in [UInt8]() }
        return written.merge(
          with: Signal.bytes(from: socket.descriptor, closesDescriptor: true, on: worker))
      }
      .split(by: [59])
    XCTAssertEqual(wait(answers), ["[97]", "[98]", "|"])
    service.dispose()
    XCTAssertEqual(wait(.connection(to: address, on: worker)), ["# \(ECONNREFUSED)"])
  }

  func testDatagrams() {
    let listening = Subject<String>()
    let places = Heard<String>()
    listening.observe { places($0) }
    let worker = worker
    let service = Signal.connections(at: "udp:127.0.0.1:0", listening: listening, on: worker)
      .flatMap { socket in
        Signal.datagrams(from: socket.descriptor, closesDescriptor: true, on: worker)
          .map { Datagram($0.bytes + [UInt8($0.length)], $0.address) }
          .written(to: socket.descriptor, closesDescriptor: true, on: worker)
      }
      .observe { _ in }
    let answers = Signal.connection(to: "udp:" + places.all[0], on: worker)
      .flatMap { socket in
        let written = Signal<String>.just("ab")
          .written(to: socket.descriptor, closesDescriptor: true, on: worker)
          .filter { _ in false }.map { _ in [UInt8]() }
        return written.merge(
          with: Signal.bytes(from: socket.descriptor, closesDescriptor: true, on: worker))
      }
      .prefix(1)
    XCTAssertEqual(wait(answers), ["[97, 98, 2]", "|"])
    service.dispose()
    XCTAssertEqual(wait(.datagrams(from: -1, on: worker)).count, 1)
  }

  func testFrames() {
    let words = Signal([[1, 2], [], [3]] as [[UInt8]])
    XCTAssertEqual(
      wait(words.prefixed(byLengthOf: 2)), ["[0, 2, 1, 2]", "[0, 0]", "[0, 1, 3]", "|"])
    XCTAssertEqual(
      wait(words.prefixed(byLengthOf: 2).split(byLengthOf: 2)), ["[1, 2]", "[]", "[3]", "|"])
    XCTAssertEqual(wait(words.delimited(by: [0])), ["[1, 2, 0]", "[0]", "[3, 0]", "|"])
    XCTAssertEqual(wait(words.split { _ in 1 }), ["[1]", "[2]", "[3]", "|"])
    XCTAssertEqual(wait(words.split(by: [9], longest: 2)).count, 1)
  }

  /// Schedulers that cannot serve, and numbers that are none: the signal fails.
  func testWhatIsRefused() {
    XCTAssertEqual(wait(.readable(0, on: .immediate)).count, 1)
    XCTAssertEqual(wait(.lines(from: -1, on: worker)).count, 1)
    XCTAssertEqual(wait(.posixSignal(SIGKILL, on: worker)).count, 1)
    XCTAssertEqual(wait(.exit(of: -5, on: worker)).count, 1)
    XCTAssertEqual(wait(.wallClock(every: .zero, on: worker)).count, 1)
    XCTAssertEqual(wait(.bytes(from: 0, upTo: .max, on: worker)).count, 1)
    XCTAssertEqual(wait(.changes(ofFile: "/nowhere/at/all", on: worker)), ["# \(ENOENT)"])
  }

  func testAPosixSignal() {
    let heard = Heard<Int32>()
    let came = expectation(description: "the signal")
    let observing = Signal.posixSignal(SIGUSR2, on: worker).observe {
      heard($0)
      came.fulfill()
    }
    kill(getpid(), SIGUSR2)
    wait(for: [came], timeout: 60)
    observing.dispose()
    XCTAssertEqual(heard.all, [SIGUSR2])
  }

  func testAChild() {
    func run(_ script: String) -> Int32 {
      var child: pid_t = 0
      let texts: [String] = ["sh", "-c", script]
      var words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
      words.append(nil)
      defer { for word in words { free(word) } }
      XCTAssertEqual(posix_spawn(&child, "/bin/sh", nil, nil, words, environ), 0)
      return child
    }
    XCTAssertEqual(wait(.exit(of: run("exit 3"), on: worker)), ["exited with 3", "|"])
    XCTAssertEqual(wait(.exit(of: run("kill -9 $$"), on: worker)), ["ended by signal 9", "|"])
    XCTAssertEqual(wait(.exit(of: getpid(), on: worker)), ["# \(ECHILD)"])
    XCTAssertTrue(ExitStatus.exited(0).isSuccess)
  }

  func testASpawnedChild() {
    let lines = Signal(["b\n"])
    let heard = wait(
      .spawn(["sh", "-c", "echo a; cat; exit 3"], input: lines, on: worker).dropFirst())
    XCTAssertEqual(heard, ["output(\"a\")", "output(\"b\")", "ended(exited with 3)", "|"])
    XCTAssertEqual(
      wait(
        .spawnWithBytes(
          ["pwd"], options: [.output, .errors, .ownGroup], environment: ["A=1"], directory: "/",
          on: worker
        ).dropFirst()),
      ["output([47, 10])", "ended(exited with 0)", "|"])
    // ThreadSanitizer makes a fork of vfork: then the parent does not hear of the error.
    if dlsym(nil, "__tsan_init") == nil {
      XCTAssertEqual(wait(.spawn(["/nowhere/at/all"], on: worker)), ["# \(ENOENT)"])
    }
  }

  func testTheClockOnTheWall() throws {
    XCTAssertEqual(wait(.wallClock(at: .seconds(1), on: worker)), ["1.0 seconds", "|"])
    XCTAssertEqual(wait(.wallClock(at: .seconds(-1), on: worker)), ["0.0 seconds", "|"])
    let heard = Heard<Duration>()
    let begun = Date().timeIntervalSince1970
    _ = wait(
      Signal.wallClock(every: .milliseconds(50), on: worker).prefix(2).handleNext { heard($0) })
    let (first, second) = try (XCTUnwrap(heard.all.first), XCTUnwrap(heard.all.last))
    XCTAssertGreaterThan(first / .seconds(1), begun - 1)
    XCTAssertGreaterThan(second, first)
    let steps = second / .milliseconds(50)
    XCTAssertEqual(steps, steps.rounded(), accuracy: 0.01)
  }

  func testAFileThatGrows() throws {
    let path = FileManager.default.temporaryDirectory.path + "/reactive-\(UUID().uuidString)"
    defer { unlink(path) }
    let file = open(path, O_CREAT | O_WRONLY, 0o600)
    write(Array("a\nb\r\nc".utf8), to: file)
    XCTAssertEqual(
      wait(.tail(ofFile: path, from: .beginning, on: worker).prefix(2)), ["a", "b", "|"])
    XCTAssertEqual(wait(.tail(ofFile: path, from: .offset(2), on: worker).prefix(1)), ["b", "|"])
    let heard = Heard<TailedLine>()
    let came = expectation(description: "the line")
    let observing = Signal.tailWithOffsets(ofFile: path, from: .offset(5), on: worker).observe {
      heard($0)
      came.fulfill()
    }
    write(Array("d\n".utf8), to: file)
    wait(for: [came], timeout: 60)
    observing.dispose()
    var status = stat()
    XCTAssertEqual(fstat(file, &status), 0)
    XCTAssertEqual(heard.all, [TailedLine(text: "cd", offset: 8, file: UInt64(status.st_ino))])
    close(file)
    XCTAssertEqual(wait(.tail(ofFile: "/nowhere/at/all", on: worker)), ["# \(ENOENT)"])
  }

  func testChangesOfAFile() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/reactive-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let heard = Heard<FileChange>()
    let (made, gone) = (expectation(description: "made"), expectation(description: "the end"))
    Signal.changes(ofFile: folder, on: worker).observe {
      heard($0)
      if $0.kinds == .created { made.fulfill() }
    } completion: { _ in
      gone.fulfill()
    }
    close(open(folder + "/a", O_CREAT | O_WRONLY, 0o600))
    wait(for: [made], timeout: 60)
    try FileManager.default.removeItem(atPath: folder)
    wait(for: [gone], timeout: 60)
    XCTAssertEqual(heard.all.first, FileChange(kinds: .created, name: "a", renaming: 0))
    XCTAssertTrue(heard.all.contains { $0.kinds == .deleted && $0.name == "a" })
    XCTAssertEqual(heard.all.last.map { $0.kinds.contains(.deletedItself) }, true)
  }
}
