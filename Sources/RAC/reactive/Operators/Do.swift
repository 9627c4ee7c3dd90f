/// Runs a callback before each value goes on.
///
///     source --1--2--|
///     action --1--2---
///     result --1--2--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter action: the callback.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -doNext:. Rx: tap, doOnNext. Since: 0.1
@c public func rac_signal_do_next(
  _ source: CSignal?, _ context: CContext?, _ action: rac_next_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, action, destroy) { source, context, action in
    source.lift("doNext:", calling: context) { pointer, value, _ in
      action(pointer, value)
      return value
    }
  }
}

/// Runs a callback before an error goes on.
///
///     source --1--2--#
///     action --------#
///     result --1--2--#
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter action: the callback.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -doError:. Rx: tap, doOnError. Since: 0.1
@c public func rac_signal_do_error(
  _ source: CSignal?, _ context: CContext?, _ action: rac_error_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, action, destroy) {
    $0.lift("doError:", DoEndStep($1, onError: $2))
  }
}

/// Runs a callback before the completion goes on.
///
///     source --1--2--|
///     action --------|
///     result --1--2--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter action: the callback.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -doCompleted:. Rx: tap, doOnComplete. Since: 0.1
@c public func rac_signal_do_completed(
  _ source: CSignal?, _ context: CContext?, _ action: rac_completed_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, action, destroy) {
    $0.lift("doCompleted:", DoEndStep($1, onCompleted: $2))
  }
}

/// The step of do_error, do_completed and finally: it calls back before an end.
final class DoEndStep: RowStep {
  private let onError: rac_error_fn?
  private let onCompleted: rac_completed_fn?
  private let onEnd: rac_action_fn?

  init(
    _ context: Context, onError: rac_error_fn? = nil, onCompleted: rac_completed_fn? = nil,
    onEnd: rac_action_fn? = nil
  ) {
    self.onError = onError
    self.onCompleted = onCompleted
    self.onEnd = onEnd
    super.init(context)
  }

  override func error(_ error: Value, at place: RowPlace) -> Bool {
    guard place.isActive else { return false }
    onError?(pointer, error)
    onEnd?(pointer)
    return true
  }

  override func completed(at place: RowPlace) -> Bool {
    guard place.isActive else { return false }
    onCompleted?(pointer)
    onEnd?(pointer)
    return true
  }
}
