// A line server: each client gets an answer to each of its lines, at most twenty a second after a
// first burst, and no more than it reads; others wait with the system. SIGTERM stops it gracefully:
// nobody new is served, and those that are there are served to their end. Two clients show it.
//
// SPDX-License-Identifier: MIT
import Reactive

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

struct Rude: Error {}

let worker = Scheduler.background(named: "server")

/// Answers a line.
func answer(_ line: String) async throws -> String {
  if line == "damn" { throw Rude() }
  try await Task.sleep(for: .milliseconds(1))
  return String(line.reversed())
}

let place = Subject<String>(replaying: 1)
let stop = Signal.posixSignal(SIGTERM, on: worker)
let service = Endpoint.listen(port: 0, listening: place, on: worker)
  .prefixUntil(stop)
  .serve(atMost: 100) { client in
    let lines = client.lines.rateLimit(
      every: .milliseconds(50), burst: 10, buffering: 100, on: worker)
    for try await line in lines.values(buffering: .waiting(16)) {
      try await client.write(try await answer(line) + "\n")
    }
  }
  .map { "served, \($0.error.map { "\($0)" } ?? "well")" }
  .values.startingNow()

/// A client: writes lines, and prints what it reads.
func talk(_ lines: [String], onAnswer: (String) -> Void = { _ in }) async throws {
  let server = try await Endpoint.connect(to: try await place.first(), on: worker).first()
  for line in lines { try await server.write(line + "\n") }
  try await server.finish()
  for try await answer in server.lines.values {
    print("client: \(answer)")
    onAnswer(answer)
  }
}

try await talk(["hello", "damn"])
try await talk(["one", "two", "three"]) { if $0 == "eno" { kill(getpid(), SIGTERM) } }
// It ends with the client that was there when it was stopped.
for try await client in service { print("server: \(client)") }
print("server: stopped")
