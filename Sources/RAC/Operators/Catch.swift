extension Signal {
  /// On an error, goes on with the signal that `handler` returns for it.
  ///
  /// ```
  /// source --1--X
  /// other      --2--|
  /// catch  --1----2--|
  /// ```
  /// Errors of that signal are not caught. C: rac_signal_catch. RAC: -catch:
  func catchError(_ context: Context, _ handler: @escaping rac_signal_fn) -> Signal {
    relay("catch:") { CatchRelay(self, .call(context, handler), $0) }
  }

  /// On an error, goes on with `signal`. C: rac_signal_catch_to. RAC: -catchTo:
  func catchTo(_ signal: Signal) -> Signal {
    relay("catchTo:", besides: signal.depth) { CatchRelay(self, .signal(signal), $0) }
  }
}

private enum CatchHandler {
  case call(Context, rac_signal_fn)
  case signal(Signal)
}

private final class CatchRelay: Relay {
  private var upcoming: Signal?
  private let handler: CatchHandler
  private var hasCaught = false

  init(_ source: Signal, _ handler: CatchHandler, _ downstream: Sink) {
    upcoming = source
    self.handler = handler
    super.init(downstream)
  }

  override func nextSource() -> Signal? { upcoming.take() }
  override func sourceCompleted() { downstream.completed() }

  override func sourceFailed(_ error: Value) {
    if hasCaught { return downstream.error(error) }
    hasCaught = true
    guard downstream.scope.isActive else { return }
    switch handler {
    case .signal(let signal): upcoming = signal
    case .call(let context, let function):
      switch SignalCallback.call({ function(context.pointer, error, $0) }) {
      case .signal(let signal): upcoming = signal
      case .failure(let failure):
        downstream.error(failure)
        return failure.release()
      }
    }
    advance()
  }
}
