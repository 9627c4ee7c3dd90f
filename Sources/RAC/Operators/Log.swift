extension Signal {
  /// Writes events to the log: the signal's name and the value. C: rac_signal_log_all,
  /// rac_signal_log_next, rac_signal_log_error, rac_signal_log_completed.
  /// RAC: -logAll, -logNext, -logError, -logCompleted
  func log(_ events: LoggedEvents, _ operation: StaticString) -> Signal {
    lift(operation) { LogSink(self.name, events, $0) }
  }
}

/// Which events are written to the log.
struct LoggedEvents {
  let next: Bool
  let error: Bool
  let completed: Bool

  static var all: LoggedEvents { LoggedEvents(next: true, error: true, completed: true) }
  static var next: LoggedEvents { LoggedEvents(next: true, error: false, completed: false) }
  static var error: LoggedEvents { LoggedEvents(next: false, error: true, completed: false) }
  static var completed: LoggedEvents { LoggedEvents(next: false, error: false, completed: true) }
}

private final class LogSink: Stage {
  /// Not the signal: a subject would keep itself, by way of its subscribers.
  private let name: SignalName?
  private let events: LoggedEvents

  init(_ name: SignalName?, _ events: LoggedEvents, _ downstream: Sink) {
    self.name = name
    self.events = events
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if events.next { write("next: ", value) }
    downstream.next(value)
  }

  override func error(_ error: Value) {
    if events.error { write("error: ", error) }
    downstream.error(error)
  }

  override func completed() {
    if events.completed { write("completed", nil) }
    downstream.completed()
  }

  private func write(_ event: StaticString, _ value: Value?) {
    guard scope.isActive else { return }
    var line = TextBuffer()
    if let name { name.append(to: &line) } else { line.append("<signal>") }
    line.append(" ")
    line.append(event)
    value?.describe(to: &line)
    Diagnostics.shared.write(line)
  }
}
