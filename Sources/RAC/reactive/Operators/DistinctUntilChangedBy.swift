/// Drops a value whose key equals that of the one before it; see rac_value_equal().
///
///     source          --a--b--c--d--|   a: 11, b: 12, c: 23, d: 13
///     by its first 1  --a-----c--d--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter key: writes a value's key, owned, to `*out`; a failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: distinctUntilChanged with a key. Since: 0.1
@c public func rac_signal_distinct_until_changed_by(
  _ source: CSignal?, _ context: CContext?, _ key: rac_map_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, key, destroy) { $0.distinctUntilChanged(by: $1, $2) }
}

extension Signal {
  func distinctUntilChanged(by context: Context, _ key: @escaping rac_map_fn) -> Signal {
    lift("distinctUntilChangedBy:", calling: context, state: .nothing) { pointer, value, place in
      guard let fresh = place.result({ key(pointer, value, $0) }) else { return nil }
      if place.state.isEqual(fresh) {
        fresh.release()
        return nil
      }
      place.keep(fresh)
      return value
    }
  }
}
