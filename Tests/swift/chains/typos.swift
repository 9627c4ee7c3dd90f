// The same with one fault in a closure each. The compiler has to name it, on its line, within the
// same budget.

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
  numbers.map { $0 * 2 }
    .filter { $0.isEven }  // refused: has no member 'isEven'
    .map { "\($0)" }
}

func squares(_ numbers: Subject<Int>) -> Signal<Int> {
  numbers.filter { $0 % 2 == 0 }
    .map { $0 * $O }  // refused: cannot find '$O' in scope
    .scan(0) { $0 + $1 }.dropFirst()
}

func nineOperators(_ words: Subject<String>) -> Signal<String> {
  words.map { $0.count }.filter { $0 > 2 }.map { $0 * 2 }.dropFirst()
    .map { $0.description }.filter { !$0.isEmpty }
    .map { $0.cuont }  // refused: has no member 'cuont'
    .removeDuplicates().map { $0.description }
}

func search(_ texts: Subject<String>) -> Signal<[String]> {
  texts.debounce(for: .milliseconds(300)).map { $0.trimmed }.removeDuplicates()
    .filter { !$0.isEmtpy }  // refused: has no member 'isEmtpy'
    .flatMapLatest { fetch($0).catch { _ in .just([]) } }
}

func searchAsynchronously(_ texts: Subject<String>) -> Signal<String> {
  texts.map { $0.trimmed }.filter { $0.count > 1 }
    .mapLatest { try await laod($0) }  // refused: cannot find 'laod' in scope
    .map { $0.map { $0.name }.joined(separator: ", ") }
}

func twelveOperators(_ readings: Signal<Reading>) -> Signal<String> {
  readings.filter { $0.celsius > -273.15 }
    .map { ($0.sensor, $0.celcius.rounded()) }  // refused: has no member 'celcius'
    .filter { $0.0 != 7 }.map { $0.1 }.scan(0, max)
    .map { $0.rounded() }.filter { $0.isFinite }.removeDuplicates()
    .map { Int($0) }.prefix { $0 < 500 }.named("fahrenheit").map { $0.description }
}

func alarms(_ readings: Signal<Reading>) -> Signal<String> {
  readings.grouped { $0.sensor }.flatMap { group in
    group.map { $0.celsius }.filter { $0 > 80 }.prefix(1)
      .map { "\(group.kye): \($0)" }  // refused: has no member 'kye'
  }
}

func windows(_ readings: Signal<Reading>) -> Signal<Double> {
  readings.map { $0.celsius }.chunks(ofCount: 10, stride: 5)
    .map { Double($0.cuont) }  // refused: has no member 'cuont'
    .filter { $0 > 0 }.rollingMean(over: 3)
}

func form(_ name: Property<String>, _ age: Property<Int>) -> Signal<Bool> {
  name.map { $0.trimmed }.combineLatest(with: age.map { $0 > 17 }) {
    !$0.isEmpty && $1.isTrue  // refused: has no member 'isTrue'
  }
  .removeDuplicates().replayLast()
}

func names(_ people: Signal<[Person]>) -> Signal<[String]> {
  people.map { $0.filter { $0.age > 17 } }.map { $0.sorted { $0.age < $1.age } }
    .map { $0.map { $0.nmae.uppercased() } }  // refused: has no member 'nmae'
    .filter { !$0.isEmpty }.removeDuplicates()
}

func cities(_ people: Signal<Person>) -> Signal<Int> {
  people.compactMap { $0.ctiy }  // refused: has no member 'ctiy'
    .uniqued { $0.lowercased() }.map { $0.count }.reduce(0) { $0 + $1 }
}

func recovered(_ texts: Signal<String>) -> Signal<Int> {
  texts.map { text in
    guard let number = Int(text) else { throw Borken() }  // refused: cannot find 'Borken' in scope
    return number
  }
  .catch { _ in Signal([1, 2]) }.map { $0 + 1 }.reduce(into: []) { $0.append($1) }.map { $0.count }
}

func retried(_ requests: Signal<String>) -> Signal<String> {
  requests.flatMap {
    fetch($0).retry(pausing: Backoff(.second(1), attempts: 3))  // refused: has no member 'second'
  }
  .timeout(after: .seconds(10)).map { $0.first ?? "" }.filter { $0 != "" }
}

func clock() -> Signal<String> {
  Signal.interval(.seconds(1)).map { $0 % 60 }.filter { $0.isMultiple(of: 5) }.map {
    $0.description
  }
  .prefix { $0.hasPrefx("5") }  // refused: has no member 'hasPrefx'
  .mapTo("tick")
}

func fromNothing() -> Signal<[Int]> {
  Signal([1, 2, 3]).map { $0 + 1 }
    .filter { $0.isOdd }  // refused: has no member 'isOdd'
    .map { $0 * 3 }.collect()
}

func merged(_ a: Subject<Int>, _ b: Property<Int>) -> Signal<Int> {
  a.map { $0 + 1 }.merge(with: b.map { $0 - 1 }.filter { $0 > 0 }).scan(0) { max($0, $1) }
    .removeDuplicates { abs($0 - $1).magnitud < 2 }  // refused: has no member 'magnitud'
}

func pairs(_ people: Signal<Person>) -> Signal<String> {
  people.removeDuplicateKeys { $0.name }.adjacentPairs()
    .filter { $0.0.age < $0.2.age }  // refused: has no member '2'
    .map { "\($0.0.name) < \($0.1.name)" }.prefix(20)
}

func stateful(_ numbers: Signal<Int>) -> Signal<Int> {
  numbers.drop { $0 < 3 }.step(from: 0) { (count: inout Int, event, output: StepOutput<Int>) in
    guard case .value(let number) = event else { return }
    count += 1
    if count % 2 == 0 { output.sent(number) }  // refused: has no member 'sent'
  }
  .map { $0 * 2 }.withLatest(from: numbers) { $0 + $1 }
}

func heard(_ numbers: Signal<Int>) -> Disposable {
  numbers.map { $0 * 2 }.filter { $0.isOdd }  // refused: has no member 'isOdd'
    .concatMap { Signal([$0, $0]) }.deliver(on: .main).observe {
      print($0)
    } completion: { _ in
    }
}

func statistics(_ readings: Signal<Reading>) -> Signal<Double> {
  readings.filter { $0.lable.count > 3 }  // refused: has no member 'lable'
    .map { $0.celsius * 2 }.filter { $0 > 1 }.map { $0 - 1 }
    .sum().map { $0 / 2 }
}

func sums(_ numbers: Subject<Int>) -> Signal<String> {
  numbers.scan(0) { $0 + $1 }.flatMap { n in Signal([n, n + 1]) }.map { "\($0)" }
    .map { $0.uppercase() }  // refused: has no member 'uppercase'
}

func zipped(_ numbers: Signal<Int>, _ words: Signal<String>) -> Signal<String> {
  numbers.map { $0 * 10 }.zip(with: words).map { "\($0.1) \($0.0)" }.filter { !$0.isEmpty }
    .map { $0.lowercase() }  // refused: has no member 'lowercase'
}

func priced(_ price: Property<Double>, _ count: Property<Int>) -> Signal<String> {
  price.combineLatest(with: count) { $0 * Double($1) }.map { $0 * 1.19 }.removeDuplicates()
    .map { "\($0.rounde()) EUR" }  // refused: has no member 'rounde'
}

func suggested(_ texts: Subject<String>) -> Signal<Int> {
  texts.debounce(for: .milliseconds(200)).map { $0 + "*" }
    .flatMapLatest { fetch($0).map { $0.size } }  // refused: has no member 'size'
    .scan(0) { $0 + $1 }
}

func mixed(_ a: Subject<Int>, _ b: Signal<Int>) -> Signal<String> {
  a.merge(with: b.map { $0 + 100 }).filter { $0 % 2 == 1 }.scan(1) { $0 * $1 }
    .map { "product \($0.abs)" }  // refused: has no member 'abs'
}

func parsed(_ lines: Signal<String>) -> Signal<String> {
  lines.compactMap { Int($0) }.reduce(0) { max($0, $1) }.map { "\($0)" }
    .map { $0.reverse() }  // refused: has no member 'reverse'
}

func counted(_ words: Subject<String>) -> Signal<[String: Int]> {
  words.map { $0.lowercased() }.filter { $0 != "the" }
    .reduce(into: [:]) { $0[$1, defualt: 0] += 1 }  // refused: _:defualt:
}

func summed(_ readings: Signal<Reading>) -> Signal<String> {
  readings.map { $0.celsius }.filter { $0 > 0 }.scan(0.0) { $0 + $1 }
    .map { $0.rouned() }  // refused: has no member 'rouned'
    .map { "sum \($0)" }
}

func flattened(_ numbers: Signal<Int>) -> Signal<String> {
  numbers.concatMap { n in Signal([n, n]) }.map { "\($0)" }
    .filter { $0.hasPrefx("1") }  // refused: has no member 'hasPrefx'
    .scan("") { $0 + $1 }
}

func labelled(_ people: Signal<Person>) -> Signal<String> {
  people.filter { $0.age >= 18 }.map { "<\($0.name)>" }.scan("") { $0 + ", " + $1 }
    .map { $0.trim }  // refused: has no member 'trim'
}

func late(_ a: Signal<Int>, _ b: Signal<Int>) -> Signal<String> {
  a.withLatest(from: b) { max($0, $1) }.map { "\($0)" }.filter { $0.count > 1 }
    .map { $0.frist }  // refused: has no member 'frist'
}

func several(_ a: Subject<Int>, _ b: Signal<String>, _ c: Property<Double>) -> Signal<Int> {
  combineLatest(a.map { $0 + 1 }, b.filter { $0.count > 2 }, c, a) {
    "\($0) \($1.cuont) \($2 * 2) \($3)"  // refused: has no member 'cuont'
  }
  .map { $0.count }.filter { $0 > 3 }
}

func latest(_ a: Subject<Int>, _ b: Signal<String>, _ c: Property<Double>) -> Signal<String> {
  a.map { $0 + 1 }.withLatest(from: b, c, a) {
    "\($0) \($1) \($2.rounde()) \($3)"  // refused: has no member 'rounde'
  }
  .removeDuplicates()
}

func mergedOfThree(_ a: Subject<Int>, _ b: Signal<Int>, _ c: Property<Int>) -> Signal<String> {
  merge(a.map { $0 * 2 }, b, c.filter { $0 > 1 }).scan(0) { $0 + $1 }
    .map { $0.descripton }  // refused: has no member 'descripton'
    .filter { $0 != "1" }.prefix(3)
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
