extension Signal {
  /// Writes every event to the log: the signal's name and the value. C: rac_signal_log_all.
  /// RAC: -logAll
  func logAll() -> Signal { lift("logAll") { LogSink(self, $0) } }
}

private final class LogSink: Stage {
  private let signal: Signal

  init(_ signal: Signal, _ downstream: Sink) {
    self.signal = signal
    super.init(downstream)
  }

  override func next(_ value: Value) {
    write("next: ", value)
    downstream.next(value)
  }

  override func error(_ error: Value) {
    write("error: ", error)
    downstream.error(error)
  }

  override func completed() {
    write("completed", nil)
    downstream.completed()
  }

  private func write(_ event: StaticString, _ value: Value?) {
    guard scope.isActive else { return }
    var line = TextBuffer()
    if let name = signal.name { name.append(to: &line) } else { line.append("<signal>") }
    line.append(" ")
    line.append(event)
    value?.describe(to: &line)
    engine.diagnostics.write(line)
  }
}
