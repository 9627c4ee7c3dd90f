// Everything is the main actor's unless it says otherwise: -default-isolation MainActor. A
// structure with lenses says nonisolated, and the class that owns observations @MainActor, since a
// conformance to a protocol that is Sendable keeps it from being that by default.

import Reactive

nonisolated struct Form: Sendable {
  var name = "Ada"
  var visits = 0
}

@MainActor final class Screen: ObservationOwner {
  let observations = DisposableBag()
  let form = Property(Form())
  var lines: [String] = []

  func show(_ words: Signal<String>) {
    words.observeOnMain(owner: self) { screen, word in screen.lines.append(word) }
  }

  func visit() { form[\.visits] += 1 }
}

let screen = Screen()
let words = Subject<String>()
screen.show(words.map { $0.uppercased() })
screen.visit()
let title = combine(screen.form[\.name], screen.form[\.visits]) { "\($0) \($1)" }
let lengths = words.asyncMap { word async throws -> Int in word.count }.values.startingNow()
words.send("one")
words.send("two")
words.complete()
var sum = 0
for try await length in lengths { sum += length }
while screen.lines.count < 2 { await Task.yield() }
print(title.value, sum, screen.lines)
