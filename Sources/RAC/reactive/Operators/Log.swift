/// Writes every event to the log: the source's name and the event; see rac_set_log().
///
///     source --1--2--|
///     log    --1--2--|
///     result --1--2--|
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -logAll. Since: 0.1
@c public func rac_signal_log_all(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { $0.log(.all, "logAll") }
}

/// Writes every value to the log: the source's name and the value; see rac_set_log().
///
///     source --1--2--|
///     log    --1--2---
///     result --1--2--|
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -logNext. Since: 0.1
@c public func rac_signal_log_next(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { $0.log(.next, "logNext") }
}

/// Writes an error to the log: the source's name and the error; see rac_set_log().
///
///     source --1--2--#
///     log    --------#
///     result --1--2--#
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -logError. Since: 0.1
@c public func rac_signal_log_error(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { $0.log(.error, "logError") }
}

/// Writes the completion to the log, with the source's name; see rac_set_log().
///
///     source --1--2--|
///     log    --------|
///     result --1--2--|
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -logCompleted. Since: 0.1
@c public func rac_signal_log_completed(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { $0.log(.completed, "logCompleted") }
}

extension Signal {
  func log(_ events: LoggedEvents, _ operation: StaticString) -> Signal {
    lift(operation, holding: self) { LogSink(self.name, events, $0) }
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
