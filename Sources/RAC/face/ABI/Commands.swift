/// A command: executing it calls a function that makes a signal of an input, and subscribes to that
/// signal on a scheduler.
///
/// The signals of the command send on that scheduler as well, never from inside
/// rac_command_execute(), unless it is the immediate one. While it executes, and while `enabled`
/// says false, it executes nothing else; see rac_command_set_allows_concurrent_execution().
///
/// When the last reference goes no more can be executed, and all signals of the command complete;
/// executions that have begun go on to their end, for which rac_command_executing() and
/// rac_command_errors() wait.
///
/// - Parameter enabled: borrowed, subscribed to now and until the last reference goes; a signal of
///   truth values, of which the latest counts, and true before the first. NULL: always enabled. If
///   it fails, or sends something else, the command stays disabled.
/// - Parameter scheduler: borrowed, retained; NULL: the main scheduler, as in RAC.
/// - Parameter context: passed to the callbacks.
/// - Parameter execute: called on the thread that executes, perhaps on several at a time where
///   executions may be concurrent. It writes a signal, transferred, to `*out`; a failure, or NULL
///   there, makes an execution that fails.
/// - Parameter destroy: runs when the last reference to the command is gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL (`execute`), RAC_ESTALE or RAC_EKIND.
///   RAC: -initWithEnabled:signalBlock:. Since: 0.1
@c public func rac_command_create(
  _ enabled: CSignal?, _ scheduler: CScheduler?, _ context: CContext?, _ execute: rac_execute_fn?,
  _ destroy: rac_destroy_fn?
) -> CCommand? {
  guard let context = Border.context(context, destroy) else { return nil }
  guard let execute else { return Border.fail(Status.null, "a callback is NULL") }
  guard let enabled = Border.ifGiven(enabled, Border.signal),
    let place = Border.ifGiven(scheduler, Border.scheduler)
  else { return nil }
  return Border.given(Command.make(enabled, place ?? Scheduler.main, context, execute))
}

/// Executes a command: calls its function, and subscribes to the signal it makes on the command's
/// scheduler.
///
/// Of two threads that execute a command that is not concurrent one is refused, as is the function
/// of the command when it executes the command again.
///
/// - Parameter command: borrowed.
/// - Parameter input: borrowed.
/// - Returns: one reference to a signal that replays what the execution sends, the end as well, and
///   needs no subscriber for the execution to go on. If the command is disabled, a signal that
///   fails with the domain RAC_COMMAND_ERROR_DOMAIN, the code RAC_COMMAND_NOT_ENABLED, and beneath
///   it the command's handle, which is not retained, as a pointer of the type "rac_command". If the
///   function gave no signal, one that fails with RAC_COMMAND_NO_SIGNAL. NULL with RAC_ENULL,
///   RAC_ESTALE, RAC_EKIND, RAC_EUTF8, RAC_ENOMEM, or RAC_ERANGE when commands that execute each
///   other leave no stack for one more. RAC: -execute:. Since: 0.1
@c public func rac_command_execute(_ command: CCommand?, _ input: rac_value) -> CSignal? {
  if Border.isBrokenChain(command) { return nil }
  return Border.take(input, otherwise: Border.none) { input in
    Border.use(command, .command, as: Command.self) { command in
      if Stack.isShort { return Border.refuseSubscription() }
      return Border.give { command.execute(input) }
    }
  }
}

/// Sends a signal for each execution as it begins. That signal sends the execution's values, and
/// completes in place of its error.
///
/// It has no memory: a subscriber does not hear of executions that began before. It sends on the
/// command's scheduler; the signals in it send where the command's work does. rac_signal_flatten()
/// and rac_signal_switch_to_latest() make the values of all executions of it.
///
/// - Parameter command: borrowed.
/// - Returns: one reference, a signal of values of kind RAC_SIGNAL; NULL with RAC_ENULL, RAC_ESTALE
///   or RAC_EKIND. RAC: -executionSignals. Since: 0.1
@c public func rac_command_execution_signals(_ command: CCommand?) -> CSignal? {
  signal(of: command) { $0.executionSignals }
}

/// Whether the command is executing: the current truth value first, false to begin with, then the
/// changes.
///
/// - Parameter command: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -executing. Since:
///   0.1
@c public func rac_command_executing(_ command: CCommand?) -> CSignal? {
  signal(of: command) { $0.executing }
}

/// Whether rac_command_execute() would execute: the current truth value first, then the changes.
///
/// False while the signal that the command was made with says false, and while the command is
/// executing, unless it may do so concurrently. If that signal fails this one does, with the same
/// error.
///
/// - Parameter command: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -enabled. Since:
///   0.1
@c public func rac_command_enabled(_ command: CCommand?) -> CSignal? {
  signal(of: command) { $0.enabled }
}

/// Whether the command is executing now.
///
/// rac_command_executing() says so in its turn, on the command's scheduler.
///
/// - Parameter command: borrowed.
/// - Returns: true or false; false with RAC_ENULL, RAC_ESTALE or RAC_EKIND. Any thread.
///   RAC: the first value of -executing. Since: 0.1
@c public func rac_command_is_executing(_ command: CCommand?) -> Bool {
  find(command)?.isExecuting ?? false
}

/// Whether rac_command_execute() would execute now, unless another thread is faster.
///
/// rac_command_enabled() says so in its turn, on the command's scheduler.
///
/// - Parameter command: borrowed.
/// - Returns: true or false; false with RAC_ENULL, RAC_ESTALE or RAC_EKIND. Any thread.
///   RAC: the first value of -enabled. Since: 0.1
@c public func rac_command_is_enabled(_ command: CCommand?) -> Bool {
  find(command)?.isEnabled ?? false
}

/// The errors of all executions, as values; also of those that began before the subscription.
///
/// Refusals are no executions and not among them.
///
/// - Parameter command: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -errors. Since: 0.1
@c public func rac_command_errors(_ command: CCommand?) -> CSignal? {
  signal(of: command) { $0.errors }
}

/// Whether a command may begin an execution while another one is going on.
///
/// - Parameter command: borrowed.
/// - Returns: true or false, which it is to begin with; false with RAC_ENULL, RAC_ESTALE or
///   RAC_EKIND. RAC: -allowsConcurrentExecution. Since: 0.1
@c public func rac_command_allows_concurrent_execution(_ command: CCommand?) -> Bool {
  find(command)?.allowsConcurrentExecution ?? false
}

/// Sets whether a command may begin an execution while another one is going on.
///
/// - Parameter command: borrowed.
/// - Parameter allowed: executions that have begun go on either way.
/// - Returns: RAC_OK, RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -setAllowsConcurrentExecution:.
///   Since: 0.1
@discardableResult
@c public func rac_command_set_allows_concurrent_execution(_ command: CCommand?, _ allowed: Bool)
  -> rac_status
{
  Border.check(command, .command, as: Command.self) {
    $0.change(.allowedConcurrent(allowed))
    return Status.ok
  }
}

/// Its signals, which outlive it: the call need not keep more than the object.
private func find(_ command: CCommand?, _ function: StaticString = #function) -> Command? {
  Border.use(command, .command, as: Command.self, function, { Optional($0) })
}

private func signal(
  of command: CCommand?, _ function: StaticString = #function, _ make: (Command) -> Signal
) -> CSignal? {
  guard let command = find(command, function) else { return nil }
  return Border.give(function) { make(command) }
}
