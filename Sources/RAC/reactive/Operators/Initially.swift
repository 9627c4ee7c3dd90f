/// Runs a callback before the source is subscribed to.
///
///     source --1--2--|
///     action x
///     result --1--2--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter action: runs once for each subscription.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -initially:. Rx: doOnSubscribe. Since: 0.1
@c public func rac_signal_initially(
  _ source: CSignal?, _ context: CContext?, _ action: rac_action_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, action, destroy) { source, context, action in
    // A deferred signal in RAC: the action runs where the subscription is made.
    source.lift("initially:", holding: context) {
      action(context.pointer)
      return $0.scope.isActive ? KeepingSink(context, $0) : nil
    }
  }
}
