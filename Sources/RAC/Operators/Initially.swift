/// Runs a callback before the source is subscribed to.
///
///     source  --1--2--|
///     action !
///     result  --1--2--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter action: runs once for each subscription.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -initially:. Rx: doOnSubscribe. Since: 0.1
@_cdecl("rac_signal_initially")
public func rac_signal_initially(
  _ source: CSignal?, _ context: CContext?, _ action: rac_action_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_initially") else { return nil }
  return Border.derive(source, action, "rac_signal_initially") { $0.initially(context, $1) }
}

extension Signal {
  func initially(_ context: Context, _ action: @escaping rac_action_fn) -> Signal {
    InitiallySignal(self, Closure(context, action)).named("initially:", self)
  }
}

private final class InitiallySignal: Signal {
  private let source: Signal
  private let action: Closure<rac_action_fn>

  init(_ source: Signal, _ action: Closure<rac_action_fn>) {
    self.source = source
    self.action = action
    action.context.above = source.contexts
    super.init(depth: source.depth &+ 1)
  }

  deinit {
    if Stack.isTooShort(toTakeApart: depth) { Stack.outlive(source) }
  }

  override var contexts: Object? { action.context }

  override func attach(_ sink: Sink) {
    // A deferred signal in RAC: the action runs where the subscription is made.
    action.function(action.pointer)
    if sink.scope.isActive { source.subscribe(KeepingSink(action.context, sink)) }
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(source)
    visitor.reference(action.context)
  }
}
