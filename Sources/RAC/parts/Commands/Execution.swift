/// Waits for the end of an execution, on behalf of its command, which lives as long as it.
final class ExecutionSink: Sink {
  private let command: Command

  init(_ command: Command) {
    self.command = command
    super.init(scope: Scope())
  }

  override func error(_ error: Value) {
    guard scope.close() else { return }
    command.report(error)
    command.change(.ended)
  }

  override func completed() {
    if scope.close() { command.change(.ended) }
  }

  deinit {
    if scope.isActive { command.change(.lost) }
  }
}

/// Has the command hear of the end before the execution's memory does, which replays it to
/// subscribers that come meanwhile.
final class ExecutionStage: Stage {
  private let sink: ExecutionSink

  init(_ sink: ExecutionSink, _ downstream: Sink) {
    self.sink = sink
    super.init(downstream)
  }

  override func error(_ error: Value) {
    sink.error(error)
    downstream.error(error)
  }

  override func completed() {
    sink.completed()
    downstream.completed()
  }

  /// The command has the next thing to say.
  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool { false }
}

/// Sends, for each execution, a signal that completes where the execution fails.
final class WithoutErrorsSink: Stage {
  override func next(_ value: Value) {
    guard let execution = value.asSignal else { return }
    let quiet = Value.signal(execution.catchTo(EmptySignal()))
    downstream.next(quiet)
    quiet.release()
  }

  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    downstream.goesAtEnd(withValue: withValue, &visitor)
  }
}

extension Value {
  /// An owned error: the command may not execute now. Its cause is the command's handle, as a
  /// pointer that keeps nothing alive. RAC: RACCommandErrorNotEnabled
  static func notEnabled(_ command: OpaquePointer?) -> Value {
    error(
      "rac.command", RAC_COMMAND_NOT_ENABLED, "the command is disabled or executing",
      underlying: Value(
        Kind.pointer, flags: 0, length: PointerTypes.shared.command,
        pointer: UnsafeRawPointer(command)))
  }
}
