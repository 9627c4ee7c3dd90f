// Chains as people write them, of 3 to 12 operators, one a function. Each has to type-check within
// the budget of test_chains.py.

import Reactive

struct Reading: Sendable, Equatable {
  var sensor: Int
  var celsius: Double
  var label: String
}

struct Person: Sendable, Hashable {
  var name: String
  var age: Int
  var city: String?
}

struct Broken: Error {}

func fetch(_ text: String) -> Signal<[String]> { .just([text]) }
func load(_ text: String) async throws -> [Person] { [] }

func threeOfNumbers(_ numbers: Signal<Int>) -> Signal<String> {
  numbers.map { $0 * 2 }.filter { $0 > 10 }.map { "\($0)" }
}

func squares(_ numbers: Subject<Int>) -> Signal<Int> {
  numbers.filter { $0 % 2 == 0 }.map { $0 * $0 }.scan(0) { $0 + $1 }.dropFirst()
}

func nineOperators(_ words: Subject<String>) -> Signal<String> {
  words.map { $0.count }.filter { $0 > 2 }.map { $0 * 2 }.scan(0) { $0 + $1 }
    .map { $0.description }.filter { $0 != "0" }.map { $0 + ".5" }.removeDuplicates()
    .map { "sum \($0)" }
}

func search(_ texts: Subject<String>) -> Signal<[String]> {
  texts.debounce(for: .milliseconds(300)).map { $0.trimmed }.removeDuplicates()
    .filter { !$0.isEmpty }.flatMapLatest { fetch($0).catch { _ in .just([]) } }
}

func searchAsynchronously(_ texts: Subject<String>) -> Signal<String> {
  texts.map { $0.trimmed }.filter { $0.count > 1 }
    .mapLatest { try await load($0) }
    .map { $0.map { $0.name }.joined(separator: ", ") }
}

func twelveOperators(_ readings: Signal<Reading>) -> Signal<String> {
  readings.filter { $0.celsius > -273.15 }.map { ($0.sensor, $0.celsius.rounded()) }
    .filter { $0.0 != 7 }.map { $0.1 }.scan(0, max)
    .map { $0.rounded() }.filter { $0.isFinite }.removeDuplicates()
    .map { Int($0) }.prefix { $0 < 500 }.named("fahrenheit").map { $0.description }
}

func alarms(_ readings: Signal<Reading>) -> Signal<String> {
  readings.grouped { $0.sensor }.flatMap { group in
    group.map { $0.celsius }.filter { $0 > 80 }.prefix(1).map { "\(group.key): \($0)" }
  }
}

func windows(_ readings: Signal<Reading>) -> Signal<Double> {
  readings.map { $0.celsius }.chunks(ofCount: 10, stride: 5)
    .map { $0.reduce(0, +) }.filter { $0 > 0 }.rollingMean(over: 3)
}

func form(_ name: Property<String>, _ age: Property<Int>) -> Signal<Bool> {
  name.map { $0.trimmed }.combineLatest(with: age.map { $0 > 17 }) { !$0.isEmpty && $1 }
    .removeDuplicates().replayLast()
}

func names(_ people: Signal<[Person]>) -> Signal<[String]> {
  people.map { $0.filter { $0.age > 17 } }.map { $0.sorted { $0.age < $1.age } }
    .map { $0.map { $0.name.uppercased() } }.filter { !$0.isEmpty }.removeDuplicates()
}

func cities(_ people: Signal<Person>) -> Signal<Int> {
  people.compactMap { $0.city }.uniqued { $0.lowercased() }.map { $0.count }.reduce(0) { $0 + $1 }
}

func recovered(_ texts: Signal<String>) -> Signal<Int> {
  texts.map { text in
    guard let number = Int(text) else { throw Broken() }
    return number
  }
  .catch { _ in Signal([1, 2]) }.map { $0 + 1 }.reduce(into: []) { $0.append($1) }.map { $0.count }
}

func retried(_ requests: Signal<String>) -> Signal<String> {
  requests.flatMap { fetch($0).retry(pausing: Backoff(.seconds(1), attempts: 3)) }
    .timeout(after: .seconds(10)).map { $0.first ?? "" }.filter { $0 != "" }
}

func clock() -> Signal<String> {
  Signal.interval(.seconds(1)).map { $0 % 60 }.filter { $0.isMultiple(of: 5) }.map {
    $0.description
  }
  .prefix { $0 != "55" }.mapTo("tick")
}

func fromNothing() -> Signal<[Int]> {
  Signal([1, 2, 3]).map { $0 + 1 }.filter { $0 > 2 }.map { $0 * 3 }.collect()
}

func merged(_ a: Subject<Int>, _ b: Property<Int>) -> Signal<Int> {
  a.map { $0 + 1 }.merge(with: b.map { $0 - 1 }.filter { $0 > 0 }).scan(0) { max($0, $1) }
    .removeDuplicates { abs($0 - $1) < 2 }
}

func pairs(_ people: Signal<Person>) -> Signal<String> {
  people.removeDuplicateKeys { $0.name }.adjacentPairs().filter { $0.0.age < $0.1.age }
    .map { "\($0.0.name) < \($0.1.name)" }.prefix(20)
}

func stateful(_ numbers: Signal<Int>) -> Signal<Int> {
  numbers.drop { $0 < 3 }.step(from: 0) { (count: inout Int, event, output: StepOutput<Int>) in
    guard case .value(let number) = event else { return }
    count += 1
    if count % 2 == 0 { output.send(number) }
  }
  .map { $0 * 2 }.withLatest(from: numbers) { $0 + $1 }
}

func heard(_ numbers: Signal<Int>) -> Disposable {
  numbers.map { $0 * 2 }.handleNext { print($0) }.filter { $0 > 3 }.concatMap {
    Signal([$0, $0 + 1])
  }
  .deliver(on: .main).map { $0.description }.observe {
    print($0)
  } completion: {
    print($0)
  }
}

func statistics(_ readings: Signal<Reading>) -> Signal<Double> {
  readings.filter { $0.label.count > 3 }.map { $0.celsius * 2 }.filter { $0 > 1 }.map { $0 - 1 }
    .sum().map { $0 / 2 }
}

func several(_ a: Subject<Int>, _ b: Signal<String>, _ c: Property<Double>) -> Signal<String> {
  combineLatest(a.map { $0 + 1 }, b.filter { $0.count > 2 }, c, a) { "\($0) \($1) \($2 * 2) \($3)" }
    .map { $0.count }.filter { $0 > 3 }.withLatest(from: b, c, a) { "\($0) \($1) \($2 + 1) \($3)" }
    .removeDuplicates()
}

func mergedOfThree(_ a: Subject<Int>, _ b: Signal<Int>, _ c: Property<Int>) -> Signal<String> {
  merge(a.map { $0 * 2 }, b, c.filter { $0 > 1 }).scan(0) { $0 + $1 }.map { "\($0)" }
    .filter { $0 != "1" }.prefix(3)
}

func zippedOfThree(_ a: Subject<Int>, _ b: Signal<String>) -> Signal<Int> {
  zip(a, b, a.dropFirst()).filter { $0 < $2 && $1 != "" }.map { $0.0 + $0.1.count + $0.2 }
    .scan(0) { $0 + $1 }.map { $0 * 2 }
}

func ownedBy(_ owner: Window, _ words: Subject<String>) -> Disposable {
  words.map { $0.count }.filter { $0 > 2 }.observe(owner: owner) { window, count in
    window.title.value = "\(count)"
    window.lines += count
  }
}

final class Window: ObservationOwner {
  let observations = DisposableBag()
  let title = Property("")
  let lines = Property(0)
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
