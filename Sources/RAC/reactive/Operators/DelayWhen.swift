/// Sends each value when the signal that a callback gives for it sends something, or completes.
///
///     source      --1--2--|
///     until for 1   ----x|
///     until for 2      x|
///     delay_when  -----21-|
///
/// So values may overtake each other. Completes when the source has, and nothing waits; an error,
/// also of one of those signals, drops what waits.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: writes a signal, transferred, to `*out`; NULL counts as an empty signal:
///   the value is sent at once. A failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: delayWhen. Since: 0.1
@c public func rac_signal_delay_when(
  _ source: CSignal?, _ context: CContext?, _ transform: rac_signal_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, transform, destroy) { source, context, transform in
    // Three levels with what waits, and it takes the stack of all.
    source.lift("delayWhen:", besides: source.depth &+ 1, holding: context) {
      DelayWhenSink(context, transform, $0)
    }
    .flatten().named("delayWhen:", source)
  }
}

/// Sends for each value a signal of that value.
private final class DelayWhenSink: CallbackStage {
  private let transform: rac_signal_fn

  init(_ context: Context, _ transform: @escaping rac_signal_fn, _ downstream: Sink) {
    self.transform = transform
    super.init(context, downstream)
  }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    switch SignalCallback.call({ transform(pointer, value, $0) }) {
    case .signal(let signal):
      let kept = OwnedValue(value)
      let waiting = signal.lift("delayWhen:", holding: kept) { AwaitingSink(kept, $0) }
      downstream.next(owned: .signal(waiting))
    case .failure(let error): self.error(owned: error)
    }
  }

  override var sendsAtEnd: Bool { false }
}

/// Sends its value at the first sign of whom it waits for.
private final class AwaitingSink: Stage {
  private var waiting: OwnedValue?

  init(_ waiting: OwnedValue, _ downstream: Sink) {
    self.waiting = waiting
    super.init(downstream)
  }

  override func next(_ value: Value) { completed() }

  override func holds(_ question: Question) -> Bool { false }

  override func completed() {
    guard let kept = waiting.take() else { return }
    downstream.next(kept.value)
    downstream.completed()
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(waiting) }
}
