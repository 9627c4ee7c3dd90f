import Reactive

/// A test in marble diagrams, with a clock of its own that stands still until the test lets time
/// pass.
///
///     let marbles = Marbles()
///     let typed = try marbles.hot("-a-bc------d|")
///     let debounced = typed.debounce(for: .seconds(3), on: marbles.scheduler)
///     try marbles.expect(debounced, "-------c----(d|)")
///
/// A step of a diagram is a second of that clock, or what `step` says. What keeps time has to be
/// told to use `scheduler`. A test of Swift Testing and one of XCTest are written alike: what is
/// not as expected is thrown, with the line of the expectation.
public final class Marbles: Sendable {
  /// The clock: a virtual scheduler.
  public let scheduler = Scheduler.virtual()
  /// How long a step of a diagram is.
  public let step: Duration

  /// - Parameter step: how long a step of a diagram is: from a microsecond to a day, whatever it
  ///   says.
  public init(step: Duration = .seconds(1)) {
    self.step = min(max(step, .microseconds(1)), .seconds(86_400))
  }

  /// A signal whose every observer gets what the diagram says, from when it begins to observe. Each
  /// value is its letter.
  ///
  /// - Throws: `MarbleSyntaxError`.
  public func cold(_ diagram: String) throws -> Signal<String> {
    try cold(diagram) { $0 }
  }

  /// The same with values in place of letters.
  ///
  /// - Parameter values: what each letter of the diagram stands for.
  /// - Parameter error: what `#` stands for.
  /// - Throws: `MarbleSyntaxError`, also for a letter that stands for nothing.
  public func cold<Value: Sendable>(
    _ diagram: String, _ values: [Character: Value], error: any Error = MarbleError()
  ) throws -> Signal<Value> {
    try cold(diagram, error: error, values.looking(in: diagram))
  }

  /// A signal that begins now, whoever observes: the clock's time counts, and what is over is not
  /// heard.
  ///
  /// - Throws: `MarbleSyntaxError`.
  public func hot(_ diagram: String) throws -> Signal<String> { try play(cold(diagram)) }

  /// The same with values in place of letters.
  ///
  /// - Parameter values: what each letter of the diagram stands for.
  /// - Parameter error: what `#` stands for.
  /// - Throws: `MarbleSyntaxError`, also for a letter that stands for nothing.
  public func hot<Value: Sendable>(
    _ diagram: String, _ values: [Character: Value], error: any Error = MarbleError()
  ) throws -> Signal<Value> {
    try play(cold(diagram, values, error: error))
  }

  /// A signal that is another one for each observer, and the last one for all that come later. It
  /// stands for a connection that is tried again.
  ///
  ///     let tries = marbles.turns(try marbles.cold("--#"), try marbles.cold("-c"))
  ///
  /// - Parameter first: what the first observer gets.
  /// - Parameter later: what those behind it get.
  public func turns<Value: Sendable>(
    _ first: Signal<Value>, _ later: Signal<Value>...
  ) -> Signal<Value> {
    let all = [first] + later
    let next = Property(0)
    return .deferred {
      let turn = next.value
      next.value = min(turn + 1, all.count - 1)
      return all[turn]
    }
  }

  private func cold<Value: Sendable>(
    _ text: String, error: any Error = MarbleError(), _ value: (String) throws -> Value
  ) throws -> Signal<Value> {
    let diagram = try MarbleDiagram(parsing: text)
    let events: [(Duration, Event<Value>)] = try diagram.events.map { event in
      let time = step * event.time
      switch event.mark {
      case .value(let letter): return (time, .value(try value(letter)))
      case .error: return (time, .failed(error))
      case .completion: return (time, .finished)
      }
    }
    let scheduler = scheduler
    return Signal { observer in
      for (time, event) in events {
        let job = scheduler.schedule(after: time) { observer.receive(event) }
        observer.add(job)
      }
      // Whoever keeps the observer keeps the observation: one of no events never ends.
      if events.isEmpty { observer.onTermination { withExtendedLifetime(observer) {} } }
    }
  }

  private func play<Value>(_ cold: Signal<Value>) -> Signal<Value> {
    let subject = Subject<Value>()
    cold.observe {
      subject.send($0)
    } completion: {
      switch $0 {
      case .finished: subject.complete()
      case .failed(let error): subject.send(error: error)
      }
    }
    return subject.signal
  }
}

/// What `#` of a diagram stands for unless it is told otherwise.
public struct MarbleError: Error, Hashable {
  /// The only one.
  public init() {}
}

extension Observer {
  fileprivate func receive(_ event: Event<Value>) {
    switch event {
    case .value(let value): send(value)
    case .failed(let error): send(error: error)
    case .finished: complete()
    }
  }
}

extension Dictionary where Key == Character {
  fileprivate func looking(in diagram: String) -> (String) throws -> Value {
    { letter in
      guard let value = self[Character(letter)] else {
        throw MarbleSyntaxError(
          text: diagram, index: 0, message: "there is no value for '\(letter)'")
      }
      return value
    }
  }
}
