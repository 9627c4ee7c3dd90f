import CRAC
import Reactive

// The main actor's code before an await and after it, which on Linux is on another thread: it
// behaves the same. Then, since it can only be the end of a program, what properties say when the
// library is closed. Every line ends with yes. MainActorTests runs this.

func say(_ what: String, _ isSo: Bool) { print("\(what): \(isSo ? "yes" : "no")") }

@MainActor func waitUntil(_ isDone: () -> Bool) async {
  for _ in 0..<30000 {
    if isDone() { return }
    try? await Task.sleep(for: .milliseconds(1))
  }
}

@MainActor final class Screen {
  private var text = ""
  private var isMain: [Bool] = []

  func check(_ when: String) async {
    nonisolated(unsafe) var hasStarted = false
    let cold = Signal<Int> { observer in
      hasStarted = true
      observer.send(1)
    }
    cold.observe { _ in }
    say("\(when), a cold signal has started when observe returns", hasStarted)

    let typed = Subject<String>()
    let search = typed.debounce(for: .milliseconds(5)).observe { [self] in
      MainActor.assertIsolated()
      let value = $0
      MainActor.assumeIsolated { text = value }
    }
    typed.send("a")
    typed.send("ab")
    await waitUntil { text == "ab" }
    say("\(when), debounce without a scheduler sends on the main actor", text == "ab")
    search.dispose()

    let ticks = Signal<Int>.interval(.milliseconds(1)).observe { [self] _ in
      MainActor.assumeIsolated { text = "tick" }
    }
    await waitUntil { text == "tick" }
    say("\(when), interval without a scheduler sends on the main actor", text == "tick")
    ticks.dispose()

    let numbers = Subject<Int>()
    var heard: [Int] = []
    let shown = numbers.observeOnMain { heard.append($0) }
    await Task.detached { for number in 1...1000 { numbers.send(number) } }.value
    await waitUntil { heard.count == 1000 }
    say("\(when), what is delivered on main arrives in order", heard == Array(1...1000))
    shown.dispose()
    text = ""

    let allowed = Command<Int, Int>(enabledIf: Subject(current: false)) { Signal.just($0) }
    say("\(when), a command knows at once that it is disabled", !allowed.isEnabled)
    let bound = Property(0)
    _ = try? bound.bind(to: Subject(current: 1))
    say("\(when), a property has at once what it is bound to", bound.value == 1)
    hasStarted = false
    _ = cold.replay()
    say("\(when), what is replayed has started when replay returns", hasStarted)
    hasStarted = false
    cold.publish().connect()
    say("\(when), a source has started when connect returns", hasStarted)
  }
}

let screen = Screen()
await screen.check("at first")
try? await Task.sleep(for: .milliseconds(10))
await Task.yield()
await screen.check("after an await")

let count = Property(1)
let text = count.mapped { "\($0)" }
let kept = Property(get: { 7 }, set: { _ in })
count.value = 2
say("the library closes", rac_close(5) == 0)
say("a closed property refuses a value", !count.set(3).isAccepted)
say("a closed property has its last value", count.value == 2 && text.value == "2")
say("a value that is kept elsewhere is still there", kept.value == 7)
let late = Property("late")
let made = late.mapped(\.count)
say("a property that comes too late has its first", late.value == "late" && made.value == 4)
actor Listener {
  var ends: [String] = []
  func add(_ end: Completion) { ends.append("\(end)") }
}
let listener = Listener()
Signal.just(1).observe(on: listener) { _, _ in
} completion: {
  $0.add($1)
}
for _ in 0..<30000 where await listener.ends.isEmpty {
  try? await Task.sleep(for: .milliseconds(1))
}
say("an actor hears that nothing can be observed any more", await listener.ends.count == 1)
say(
  "what is made of one that was there, too",
  text.combined(with: count) { $0 + "\($1)" }.value == "22")
