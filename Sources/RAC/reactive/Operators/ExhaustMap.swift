/// Maps a value to a signal and sends what that sends; drops the values that come until it
/// completes.
///
///     source      --1--2-----3-----|
///     x -> x---x| --1---1----3---3-|
///
/// A button that must not be pressed twice does this. The transform is not called for values that
/// are dropped.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: writes a signal, transferred, to `*out`; NULL counts as an empty signal.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: exhaustMap, flatMapFirst. Since: 0.1
@c public func rac_signal_exhaust_map(
  _ source: CSignal?, _ context: CContext?, _ transform: rac_signal_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, transform, destroy) { source, context, transform in
    // Two levels, as flattenMap is: it takes the stack of both.
    source.lift("exhaustMap:", besides: source.depth &+ 1, holding: context) {
      Input.only(ExhaustMapCore(Closure(context, transform), $0), position: ExhaustMapCore.outer)
    }
  }
}

private final class ExhaustMapCore: MappingCore {
  static let outer = 0

  private var isBusy = false
  private var outerIsDone = false

  override func next(_ input: Input?, _ value: Value) {
    if input?.position != ExhaustMapCore.outer { return downstream.next(value) }
    if !isBusy && downstream.scope.isActive { begin(value) }
  }

  /// A function by itself: passing on a value of an inner signal should take little stack.
  private func begin(_ value: Value) {
    guard let signal = signal(for: value) else { return }
    isBusy = true
    startInner(signal)
  }

  override func completed(_ input: Input?) {
    if input?.position != ExhaustMapCore.outer { isBusy = false } else { outerIsDone = true }
    if outerIsDone && !isBusy { endCompleted() }
  }
}
