/// Runs a callback before an error or a completion goes on; not on disposal.
///
///     source --1--2--|
///     action --------x
///     result --1--2--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter action: runs at most once for each subscription.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -finally:. Rx: doOnTerminate. Since: 0.1
@c public func rac_signal_finally(
  _ source: CSignal?, _ context: CContext?, _ action: rac_action_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, action, destroy) { $0.lift("finally:", DoEndStep($1, onEnd: $2)) }
}
