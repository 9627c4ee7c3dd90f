/// Maps each value to a signal and sends what all of them send, as it comes.
///
///     source      --1------2--|
///     x -> -x-x|  ---1-1----2-2|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: writes a signal, transferred, to `*out`; NULL counts as an empty signal.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -flattenMap:. Rx: flatMap. Since: 0.1
@c public func rac_signal_flatten_map(
  _ source: CSignal?, _ context: CContext?, _ transform: rac_signal_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, transform, destroy) {
    $0.mapToSignals($1, $2).flatten().named("flattenMap:", $0)
  }
}

extension Signal {
  /// A signal of the signals that a callback makes of values.
  func mapToSignals(_ context: Context, _ transform: @escaping rac_signal_fn) -> Signal {
    lift("map:", holding: context) { SignalMapSink(context, transform, $0) }
  }
}

/// Sends the signals that a callback makes of values.
private final class SignalMapSink: CallbackStage {
  private let transform: rac_signal_fn

  init(_ context: Context, _ transform: @escaping rac_signal_fn, _ downstream: Sink) {
    self.transform = transform
    super.init(context, downstream)
  }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    SignalCallback.call {
      transform(pointer, value, $0)
    } then: {
      downstream.next(.lent($0))
    } failed: {
      error($0)
    }
  }

  override var sendsAtEnd: Bool { false }
}
