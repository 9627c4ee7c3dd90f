/// Sends every value, and the values of the signal that `transform` makes of it, of each of which
/// it makes another signal, and so on.
///
///     source             --1---------|
///     x -> ----y, x + 1  --1---2---3--
///
/// It completes when the source and all signals have; an error of any ends it. With a transform
/// that never leaves `*out` NULL it goes on for ever: rac_signal_take() bounds it.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: writes a signal, transferred, to `*out`; NULL counts as an empty one.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: expand. Since: 0.1
@c public func rac_signal_expand(
  _ source: CSignal?, _ context: CContext?, _ transform: rac_signal_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, transform, destroy) { source, context, transform in
    // Two levels, as flattenMap is: it takes the stack of both.
    source.lift("expand:", besides: source.depth &+ 1, holding: context) {
      Input.only(ExpandCore(Closure(context, transform), $0))
    }
  }
}

private final class ExpandCore: MappingCore {
  private var running = 1

  override func next(_ input: Input?, _ value: Value) {
    downstream.next(value)
    if downstream.scope.isActive { begin(value) }
  }

  /// A function by itself: passing on a value of an inner signal should take little stack.
  private func begin(_ value: Value) {
    guard let signal = signal(for: value) else { return }
    running &+= 1
    startInner(signal)
  }

  override func completed(_ input: Input?) {
    running &-= 1
    if running == 0 { endCompleted() }
  }
}
