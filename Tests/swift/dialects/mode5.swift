// A program in language mode 5.

import Reactive

struct Form {
  var name = "Ada"
  var visits = 0
}

final class Screen: ObservationOwner {
  let observations = DisposableBag()
  let form = Property(Form())
  let lines = Property<[String]>([])

  func show(_ words: Signal<String>) {
    words.observe(owner: self) { screen, word in screen.lines.modify { $0.append(word) } }
  }

  func visit() { form[\.visits] += 1 }
}

let screen = Screen()
let words = Subject<String>()
screen.show(words.map { $0.uppercased() })
screen.visit()
let title = combine(screen.form[\.name], screen.form[\.visits]) { "\($0) \($1)" }
let lengths = words.asyncMap { word in word.count }.values.startingNow()
words.send("one")
words.send("two")
words.complete()
var sum = 0
for try await length in lengths { sum += length }
print(title.value, sum, screen.lines.value)
