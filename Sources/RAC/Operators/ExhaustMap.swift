/// Maps a value to a signal and sends what that sends; drops the values that come until it
/// completes.
///
///     source         --1--2-----3-----|
///     x -> x---x|    --1---1----3---3|
///
/// What a button does that must not be pressed twice. The transform is not called for values that
/// are dropped.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: writes a signal, transferred, to `*out`; NULL counts as an empty signal.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: exhaustMap, flatMapFirst. Since: 0.1
@_cdecl("rac_signal_exhaust_map")
public func rac_signal_exhaust_map(
  _ source: CSignal?, _ context: CContext?, _ transform: rac_signal_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_exhaust_map") else { return nil }
  return Border.derive(source, transform, "rac_signal_exhaust_map") { $0.exhaustMap(context, $1) }
}

extension Signal {
  func exhaustMap(_ context: Context, _ transform: @escaping rac_signal_fn) -> Signal {
    // Two levels, as flattenMap is: it takes the stack of both.
    lift("exhaustMap:", besides: depth &+ 1, holding: context) {
      Input.only(ExhaustMapCore(Closure(context, transform), $0), position: ExhaustMapCore.outer)
    }
  }
}

private final class ExhaustMapCore: DynamicCore {
  static let outer = 0

  private let transform: Closure<rac_signal_fn>
  private var isBusy = false
  private var outerIsDone = false

  init(_ transform: Closure<rac_signal_fn>, _ downstream: Sink) {
    self.transform = transform
    super.init(downstream)
  }

  override func next(_ input: Input?, _ value: Value) {
    if input?.position != ExhaustMapCore.outer { return downstream.next(value) }
    if !isBusy && downstream.scope.isActive { begin(value) }
  }

  /// By itself: what passes a value on from inside should take little stack.
  @inline(never)
  private func begin(_ value: Value) {
    guard let signal = ask(transform, value) else { return }
    guard Reserve.isReady(currentThread(), for: Reserve.forStage) else {
      return failWithoutMemory()
    }
    isBusy = true
    startInner(signal)
  }

  override func completed(_ input: Input?) {
    if input?.position != ExhaustMapCore.outer { isBusy = false } else { outerIsDone = true }
    if outerIsDone && !isBusy { endCompleted() }
  }

  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    goesAtBareEnd(withValue: withValue, &visitor)
  }

  override func visit(_ visitor: inout Visitor) {
    super.visit(&visitor)
    visitor.reference(transform.context)
  }
}
