import Synchronization

/// What was heard, from whichever thread.
final class Recording: Sendable {
  private let events = Mutex<[MarbleDiagram.Event]>([])

  func add(_ event: MarbleDiagram.Event) { events.withLock { $0.append(event) } }

  func diagram(length: Int) -> MarbleDiagram {
    var diagram = MarbleDiagram()
    diagram.events = events.withLock { $0 }
    diagram.length = length
    return diagram
  }
}
