// A search field: a request for what has been typed once the typing pauses, none for what it was
// already, and only the latest answer. The server is a fake one that takes its time; a request that
// nobody waits for any more is cancelled, and the server says so.
//
// SPDX-License-Identifier: MIT
import Reactive
import Synchronization

/// Answers with the words that begin with a text, and tells what becomes of each request.
final class Server: Sendable {
  struct Unavailable: Error {}

  let asked = Subject<String>()
  private let words = ["rabbit", "rack", "radio", "rain", "raven", "react", "reactive"]
  private let notes = Mutex<[String]>([])

  var log: [String] { notes.withLock { $0 } }

  func completions(of text: String) async throws -> [String] {
    asked.send(text)
    do {
      // What is short has many answers, which take long.
      try await Task.sleep(for: text.count < 3 ? .seconds(60) : .milliseconds(10))
    } catch {
      notes.withLock { $0.append("\(text): cancelled") }
      throw error
    }
    if text == "error" { throw Unavailable() }
    notes.withLock { $0.append("\(text): answered") }
    return words.filter { $0.hasPrefix(text) }
  }
}

let server = Server()
let typed = Subject<String>()

let results =
  typed
  .debounce(for: .milliseconds(40))
  .removeDuplicates()
  .flatMapLatest { text in
    Signal { try await server.completions(of: text) }
      .map { (text, $0.joined(separator: " ")) }
      .catch { _ in Signal.just((text, "the server is not available")) }
  }

// Nobody waits for "ra" any more when more is typed.
server.asked.filter { $0 == "ra" }.observe { _ in
  for text in ["rac", "rai"] { typed.send(text) }
}
// A loop observes when it begins, so the typing comes a little later.
let typing = Task {
  for text in ["r", "ra"] { typed.send(text) }
}

for try await (text, words) in results.values {
  print("\(text): \(words)")
  switch text {
  case "rai": typed.send("error")
  case "error": typed.send("rea")
  default: typed.complete()
  }
}
for note in server.log { print("server: \(note)") }
