/// The general operator: maps each value to a signal and sends the values of all of them, until the
/// callback says stop.
///
///     source       --1-----2-----3--
///     x -> -x-x|   ---1-1---2-2---3-3
///     stop after 2 ---1-1---2-2|
///
/// Leaving `*out` NULL stops too, as in RAC. Signals that are running go on to their end.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter transform: writes a signal, transferred, to `*out`; a failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -bind:. Since: 0.1
@c public func rac_signal_bind(
  _ source: CSignal?, _ context: CContext?, _ transform: rac_bind_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, transform, destroy) { $0.bind($1, $2) }
}

extension Signal {
  func bind(_ context: Context, _ transform: @escaping rac_bind_fn) -> Signal {
    lift("map:", holding: context) { BindMapSink(context, transform, $0) }.flatten().named(
      "bind:", self)
  }
}

/// Sends the signals that a callback makes of values, until it stops the source.
private final class BindMapSink: CallbackStage {
  private let transform: rac_bind_fn

  init(_ context: Context, _ transform: @escaping rac_bind_fn, _ downstream: Sink) {
    self.transform = transform
    super.init(context, downstream)
  }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    var stop = false
    var isNull = false
    let result = SignalCallback.call {
      let status = transform(pointer, value, &stop, $0)
      isNull = $0.pointee == nil
      return status
    }
    switch result {
    case .signal(let signal):
      // No signal at all ends the binding, as in RAC.
      if !isNull { downstream.next(.lent(signal)) }
      if stop || isNull { downstream.completed() }
    case .failure(let error): downstream.error(owned: error)
    }
  }

  override var sendsAtEnd: Bool { false }
}
