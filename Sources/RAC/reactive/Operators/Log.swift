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
  Border.derive(source) { $0.log("logAll") }
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
  Border.derive(source) { $0.log("logNext", .next) }
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
  Border.derive(source) { $0.log("logError", .error) }
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
  Border.derive(source) { $0.log("logCompleted", .completed) }
}

extension Signal {
  /// Writes the events of one type to the log, or all of them.
  func log(_ operation: StaticString, _ only: EventType? = nil) -> Signal {
    lift(operation, holding: self) { LogSink(self.name, only, $0) }
  }
}

private final class LogSink: Stage {
  /// Not the signal: a subject would keep itself, by way of its subscribers.
  private let name: SignalName?
  private let only: EventType?

  init(_ name: SignalName?, _ only: EventType?, _ downstream: Sink) {
    self.name = name
    self.only = only
    super.init(downstream)
  }

  override func next(_ value: Value) {
    write(.next, "next: ", value)
    downstream.next(value)
  }

  override func error(_ error: Value) {
    write(.error, "error: ", error)
    downstream.error(error)
  }

  override func completed() {
    write(.completed, "completed", nil)
    downstream.completed()
  }

  private func write(_ type: EventType, _ event: StaticString, _ value: Value?) {
    guard only ?? type == type, scope.isActive else { return }
    var line = TextBuffer()
    if let name { name.append(to: &line) } else { line.append("<signal>") }
    line.append(" ")
    line.append(event)
    value?.describe(to: &line)
    Diagnostics.shared.write(line)
  }
}
