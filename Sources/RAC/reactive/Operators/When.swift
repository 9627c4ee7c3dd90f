/// Subscribes to the source again after an error, when a signal sends that a callback has made for
/// this error.
///
///     source         --1--#
///     notifier            ---x
///     retry_when     --1-------1---
///
/// At the first value of that signal the library disposes of it and subscribes to the source. When
/// it completes without one, the stream completes; its error is the stream's. To wait a second
/// write rac_signal_delay() of rac_signal_return() to `*out`, to give up with the error
/// rac_signal_error() of it. For pauses that grow there is rac_signal_retry_with_backoff().
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter notifier: gets the error and how many came before it in this subscription, writes a
///   signal, transferred, to `*out`; NULL counts as an empty one. A failure is the stream's error.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: retry with a delay, retryWhen. Since: 0.1
@c public func rac_signal_retry_when(
  _ source: CSignal?, _ context: CContext?, _ notifier: rac_signal_index_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, notifier, destroy) {
    $0.again("retryWhen:", afterErrors: true, $1, $2)
  }
}

/// Subscribes to the source again after a completion, when a signal sends that a callback has made
/// for it.
///
///     source         --1--|
///     notifier            ---x
///     repeat_when    --1-------1---
///
/// As rac_signal_retry_when(); the callback gets the unit in place of the error. An error of the
/// source goes on.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter notifier: gets the unit and how many completions came before, writes a signal,
///   transferred, to `*out`; NULL counts as an empty one: the stream completes. A failure is the
///   stream's error.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: repeat with a delay, repeatWhen. Since: 0.1
@c public func rac_signal_repeat_when(
  _ source: CSignal?, _ context: CContext?, _ notifier: rac_signal_index_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, notifier, destroy) {
    $0.again("repeatWhen:", afterErrors: false, $1, $2)
  }
}

extension Signal {
  func again(
    _ operation: StaticString, afterErrors: Bool, _ context: Context,
    _ notifier: @escaping rac_signal_index_fn
  ) -> Signal {
    relay(operation, holding: context) {
      WhenRelay($0, afterErrors, Closure(context, notifier), $1)
    }
  }
}

/// Subscribes to the source and to notifiers in turn.
private final class WhenRelay: RepeatingRelay {
  private let isAfterErrors: Bool
  private let notifier: Closure<rac_signal_index_fn>
  private var count: UInt = 0
  private var upcoming: Signal?
  private var waits = false
  fileprivate var isNotified = false

  init(
    _ source: Signal, _ isAfterErrors: Bool, _ notifier: Closure<rac_signal_index_fn>,
    _ downstream: Sink
  ) {
    self.isAfterErrors = isAfterErrors
    self.notifier = notifier
    super.init(source, downstream)
  }

  override func nextSource() -> Signal? {
    // Made here, because it holds what would hold it.
    upcoming.take()?.lift("notifier:", holding: self) { NotifierSink(self, $0) }
      ?? super.nextSource()
  }

  override func sourceFailed(_ error: Value) {
    if isAfterErrors && !waits { ask(error) } else { downstream.error(error) }
  }

  override func sourceCompleted() {
    guard waits else {
      if isAfterErrors { downstream.completed() } else { ask(.unit) }
      return
    }
    waits = false
    if !isNotified { return downstream.completed() }
    isNotified = false
    advance()
  }

  private func ask(_ value: Value) {
    guard downstream.scope.isActive else { return }
    let before = count
    count &+= 1
    switch SignalCallback.call({
      notifier.function(notifier.pointer, value, Int(bitPattern: before), $0)
    }) {
    case .signal(let signal):
      waits = true
      upcoming = signal
      advance()
    case .failure(let failure): downstream.error(owned: failure)
    }
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(notifier.context)
    visitor.reference(upcoming)
  }
}

/// The first value ends it.
private final class NotifierSink: Stage {
  private let relay: WhenRelay

  init(_ relay: WhenRelay, _ downstream: Sink) {
    self.relay = relay
    super.init(downstream)
  }

  override func holds(_ question: Question) -> Bool { false }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    relay.isNotified = true
    downstream.completed()
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(relay) }
}
