/// On an error, goes on with the signal that a callback returns for it.
///
///     source --1--#
///     other       --2--|
///     catch  --1----2--|
///
/// Errors of that signal are not caught.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter handler: gets the error as its value; writes a signal, transferred, to `*out`.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -catch:. Rx: catchError. Since: 0.1
@c public func rac_signal_catch(
  _ source: CSignal?, _ context: CContext?, _ handler: rac_signal_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, handler, destroy) { source, context, handler in
    source.relay("catch:", holding: context) { CatchRelay($0, .call(context, handler), $1) }
  }
}

/// On an error, goes on with another signal.
///
///     source   --1--#
///     other         --2--|
///     catch_to --1----2--|
///
/// - Parameter source: borrowed.
/// - Parameter other: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -catchTo:. Rx: onErrorResumeWith. Since: 0.1
@c public func rac_signal_catch_to(_ source: CSignal?, _ other: CSignal?) -> CSignal? {
  Border.derive(source, other) { $0.catchTo($1) }
}

extension Signal {
  func catchTo(_ signal: Signal) -> Signal {
    relay("catchTo:", besides: signal.depth, holding: signal, and: signal.contexts) {
      CatchRelay($0, .signal(signal), $1)
    }
  }
}

private enum CatchHandler {
  case call(Context, rac_signal_fn)
  case signal(Signal)

  var held: Object {
    switch self {
    case .call(let context, _): context
    case .signal(let signal): signal
    }
  }
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
        return downstream.error(owned: failure)
      }
    }
    advance()
  }

  /// A value may fail on its way here.
  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    (hasCaught || !withValue) && downstream.goesAtEnd(withValue: withValue, &visitor)
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(upcoming)
    visitor.reference(handler.held)
  }
}
