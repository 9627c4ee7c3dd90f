extension Signal {
  /// Runs `action` before each value goes on. C: rac_signal_do_next. RAC: -doNext:
  func doNext(_ context: Context, _ action: @escaping rac_next_fn) -> Signal {
    lift("doNext:") { DoNextSink(context, action, $0) }
  }

  /// Runs `action` before an error goes on. C: rac_signal_do_error. RAC: -doError:
  func doError(_ context: Context, _ action: @escaping rac_error_fn) -> Signal {
    lift("doError:") { DoEndSink(context, onError: action, $0) }
  }

  /// Runs `action` before the completion goes on. C: rac_signal_do_completed. RAC: -doCompleted:
  func doCompleted(_ context: Context, _ action: @escaping rac_completed_fn) -> Signal {
    lift("doCompleted:") { DoEndSink(context, onCompleted: action, $0) }
  }

  /// Runs `action` before the source is subscribed. C: rac_signal_initially. RAC: -initially:
  func initially(_ context: Context, _ action: @escaping rac_action_fn) -> Signal {
    InitiallySignal(self, context, action).named("initially:", self)
  }

  /// Runs `action` before an error or a completion goes on; not on disposal.
  /// C: rac_signal_finally. RAC: -finally:
  func finally(_ context: Context, _ action: @escaping rac_action_fn) -> Signal {
    lift("finally:") { DoEndSink(context, onEnd: action, $0) }
  }
}

private final class DoNextSink: Stage {
  private let context: Context
  private let action: rac_next_fn

  init(_ context: Context, _ action: @escaping rac_next_fn, _ downstream: Sink) {
    self.context = context
    self.action = action
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    action(context.pointer, value)
    downstream.next(value)
  }
}

private final class DoEndSink: Stage {
  private let context: Context
  private let onError: rac_error_fn?
  private let onCompleted: rac_completed_fn?
  private let onEnd: rac_action_fn?

  init(
    _ context: Context, onError: rac_error_fn? = nil, onCompleted: rac_completed_fn? = nil,
    onEnd: rac_action_fn? = nil, _ downstream: Sink
  ) {
    self.context = context
    self.onError = onError
    self.onCompleted = onCompleted
    self.onEnd = onEnd
    super.init(downstream)
  }

  override func error(_ error: Value) {
    guard scope.isActive else { return }
    onError?(context.pointer, error)
    onEnd?(context.pointer)
    downstream.error(error)
  }

  override func completed() {
    guard scope.isActive else { return }
    onCompleted?(context.pointer)
    onEnd?(context.pointer)
    downstream.completed()
  }
}

private final class InitiallySignal: Signal {
  private let source: Signal
  private let context: Context
  private let action: rac_action_fn

  init(_ source: Signal, _ context: Context, _ action: @escaping rac_action_fn) {
    self.source = source
    self.context = context
    self.action = action
    super.init(depth: source.depth &+ 1)
  }

  deinit {
    if Stack.isTooShort(toTakeApart: depth) { Stack.outlive(source) }
  }

  override func attach(_ sink: Sink) {
    // A deferred signal in RAC: the action runs where the subscription is made.
    action(context.pointer)
    if sink.scope.isActive { source.subscribe(sink) }
  }
}
