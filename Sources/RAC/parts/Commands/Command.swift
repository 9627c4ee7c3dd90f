import CRACShims

/// A way to do something, and whether it may be done: the work is a callback that makes a signal of
/// an input, each execution a subscription to one. RACCommand.
///
/// As in ReactiveObjC subjects and a count of executions carry it. Decisions are made at once,
/// under a lock; news goes through the gate, in the order in which it came about, and from there to
/// the scheduler.
final class Command: Core {
  private let scheduler: Scheduler
  private let work: rac_execute_fn
  /// Until the last handle is gone: nobody can execute after that.
  private var context: Context?
  /// The subscription to the enabled signal.
  private let enabling = Scope()
  /// Named by the error that refuses an execution; not retained.
  private var handle: OpaquePointer?

  /// Guards these two.
  private let lock = Lock()
  private var state = CommandState()
  private var isTelling = false

  // News of the executions, and where it arrives on the scheduler.
  private let started = Subject().named("executionSignals")
  private let busy = Subject()
  private let allowed = Subject()
  private let failures = Subject()

  /// A signal for each execution, without its error. RAC: -executionSignals
  let executionSignals: Signal
  /// RAC: -executing
  let executing: Subject = ReplaySubject(capacity: 1).named("executing")
  /// RAC: -enabled
  let enabled: Subject = ReplaySubject(capacity: 1).named("enabled")
  /// The errors of the executions, as values. RAC: -errors
  let errors = Subject().named("errors")

  private init(_ scheduler: Scheduler, _ context: Context, _ work: @escaping rac_execute_fn) {
    self.scheduler = scheduler
    self.context = context
    self.work = work
    executionSignals = started.lift("withoutErrors") { WithoutErrorsSink($0) }.deliverOn(scheduler)
    super.init()
    say(.next, .bool(false), to: executing)
    deliver(busy, to: executing)
    deliver(allowed, to: enabled)
    deliver(failures, to: errors)
  }

  /// One reference to the command. Without a signal it is enabled unless it is executing.
  /// RAC: -initWithEnabled:signalBlock:
  static func make(
    _ enabled: Signal?, _ scheduler: Scheduler, _ context: Context,
    _ work: @escaping rac_execute_fn
  ) -> OpaquePointer {
    let command = Command(scheduler, context, work)
    let handle = Handles.make(command, .command)
    command.handle = handle
    if rac_recording_is_on() { command.recordMaking() }
    enabled?.subscribe(EnabledSink(command, command.enabling))
    command.beginTelling()
    return handle
  }

  private func deliver(_ source: Subject, to target: Subject) {
    source.deliverOn(scheduler).subscribe(SubjectSink(target, scope: Scope()))
  }

  private func beginTelling() {
    say(.next, .bool(lock.locked { state.beginTelling() }), to: enabled)
    lock.locked { isTelling = true }
    submit(.fire)
  }

  // MARK: Executing

  /// Calls the callback with the input and runs its signal on the scheduler. The result replays the
  /// execution's events. RAC: -execute:
  func execute(_ input: Value) -> Signal {
    guard change(.begun) else { return refusal() }
    let work = signal(for: input)
    let execution = ReplaySubject(capacity: .max).named("execute:")
    // Attached first: a subscriber that hears the end may execute again.
    let sink = ExecutionSink(self)
    execution.core.attach(sink)
    say(.next, .lent(execution), to: started)
    work.subscribeOn(scheduler).subscribe(
      ExecutionStage(sink, SubjectSink(execution, scope: Scope())))
    return execution
  }

  private func signal(for input: Value) -> Signal {
    var hasReturnedNothing = false
    let result = Callback.inside {
      SignalCallback.call {
        let status = work(context?.pointer, input, $0)
        context?.calledBack()
        hasReturnedNothing = status >= 0 && $0.pointee == nil
        return status
      }
    }
    if hasReturnedNothing {
      return failing(
        .error("rac.command", RAC_COMMAND_NO_SIGNAL, "a command's callback gave no signal"))
    }
    switch result {
    case .signal(let signal): return signal
    case .failure(let error): return failing(error)
    }
  }

  /// Takes over the error.
  private func failing(_ error: Value) -> Signal {
    defer { error.release() }
    return ErrorSignal(error)
  }

  private func refusal() -> Signal { failing(.notEnabled(handle)) }

  /// An execution failed.
  func report(_ error: Value) { say(.next, error, to: failures) }

  // MARK: Recording

  @exclusivity(unchecked) private var node = rac_node()
  /// For what ends in it.
  var recordedNumber: UInt32 { node.number }

  private func recordMaking() {
    let thread = currentThread()
    var facts = rac_node_facts()
    facts.kind = UInt8(RAC_NODE_COMMAND)
    facts.place = rac_recording_place(
      thread, rac_recording_text("command", 7), Diagnostics.shared.locate(), nil)
    node = rac_recording_make(thread, &facts)
  }

  private func record(_ change: CommandChange) {
    switch change {
    case .begun: recordExecution(begins: true)
    case .ended: recordExecution(begins: false)
    default: break
    }
  }

  private func recordExecution(begins: Bool) {
    let thread = currentThread()
    if begins {
      rac_node_count(node)
      rac_node_queues(thread, node)
    } else {
      rac_node_dequeues(node)
    }
    guard rac_recording_is_wanted() else { return }
    let kind = begins ? RAC_RECORDED_EXECUTES : RAC_RECORDED_EXECUTED
    rac_recording_event(thread, UInt8(kind), node.number, 0, 0)
  }

  deinit {
    if node.number != 0 { rac_recording_forget(currentThread(), node) }
  }

  // MARK: Deciding and telling

  /// Decides at once, and tells the news, unless another thread is telling: that one then tells
  /// this as well. False for an execution that may not begin.
  @discardableResult
  func change(_ change: CommandChange) -> Bool {
    lock.lock()
    let isGranted = state.apply(change)
    let tells = isTelling
    lock.unlock()
    if isGranted, node.number != 0 { record(change) }
    if tells { submit(.fire) }
    return isGranted
  }

  /// RAC: -allowsConcurrentExecution
  var allowsConcurrentExecution: Bool { lock.locked { state.allowsConcurrent } }

  /// Whether one that begins now would, and whether one has begun that has not ended.
  var isEnabled: Bool { lock.locked { state.isEnabled } }
  var isExecuting: Bool { lock.locked { state.isExecuting } }

  override func apply(_ operation: Operation, _ object: Object?, _ value: Value) {
    while let news = lock.locked({ state.nextNews() }) { tell(news) }
  }

  private func tell(_ news: CommandNews) {
    switch news {
    case .executing(let flag): say(.next, .bool(flag), to: busy)
    case .enabled(let flag): say(.next, .bool(flag), to: allowed)
    case .failed(let error):
      say(.error, error, to: allowed)
      error.release()
    case .released:
      say(.completed, to: started)
      say(.completed, to: allowed)
    case .finished:
      say(.completed, to: busy)
      say(.completed, to: failures)
    }
  }

  @inline(never)
  private func say(_ operation: Operation, _ value: Value = .null, to subject: Subject) {
    if Process.isClosed { return }
    subject.core.submitRarely(operation, nil, value)
  }

  // MARK: The end

  /// Its last handle lets go of these. Its signals complete then, and subscribers go with it where
  /// nothing goes on after that.
  override func visit(_ visitor: inout Visitor) {
    visitor.reference(context)
    guard lock.locked({ state.isSettled }), visitor.goesAtEnd(started.core, withValue: false),
      goesAtLast(executing, &visitor), goesAtLast(enabled, &visitor), goesAtLast(errors, &visitor)
    else { return }
    visitor.reference(executionSignals)
    visitor.reference(started)
    visitor.reference(busy)
    visitor.reference(allowed)
    visitor.reference(failures)
    visitor.reference(executing)
    visitor.reference(enabled)
    visitor.reference(errors)
  }

  /// Its last event may be a value.
  private func goesAtLast(_ subject: Subject, _ visitor: inout Visitor) -> Bool {
    visitor.goesAtEnd(subject.core, withValue: true)
  }

  override func lastHandleReleased() {
    enabling.close()
    context = nil
    change(.released)
  }
}

/// Hears whether the command may execute.
private final class EnabledSink: Sink {
  private let command: Command

  init(_ command: Command, _ scope: Scope) {
    self.command = command
    super.init(scope: scope)
  }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    if let truth = value.truth {
      command.change(.turned(on: truth))
      return
    }
    let error = Value.error(
      "rac", Status.kind, "a truth value was expected, another value was sent")
    self.error(error)
    error.release()
  }

  override func error(_ error: Value) {
    if scope.close() { command.change(.failed(error)) }
  }

  override func completed() { scope.close() }
}
