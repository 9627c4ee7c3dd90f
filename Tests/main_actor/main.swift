import Reactive

// The main actor's code before an await and after it, which on Linux is on another thread: it behaves the
// same. Every line ends with yes. MainActorTests runs this.

func say(_ what: String, _ isSo: Bool) { print("\(what): \(isSo ? "yes" : "no")") }

@MainActor func waitUntil(_ isDone: () -> Bool) async {
  for _ in 0..<5000 {
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
  }
}

let screen = Screen()
await screen.check("at first")
try? await Task.sleep(for: .milliseconds(10))
await Task.yield()
await screen.check("after an await")
