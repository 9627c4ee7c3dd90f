/// Drops all values, and goes on after the completion with a signal that a callback makes only
/// then.
///
///     source --1--2--|
///     next           --3--|
///     then   ----------3--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter factory: writes a signal, transferred, to `*out`; NULL counts as an empty signal.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -then:. Rx: andThen. Since: 0.1
@c public func rac_signal_then(
  _ source: CSignal?, _ context: CContext?, _ factory: rac_defer_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, factory, destroy) {
    $0.ignoreValues().concat(.deferred($1, $2)).named("then:", $0)
  }
}
