/// Drops every value whose key equals that of one that came before, however long ago; see
/// rac_value_equal().
///
///     source          --1--2--1--3--2--|
///     distinct        --1--2-----3-----|
///
///     source          --a--b--c--d--|   a: 11, b: 12, c: 23, d: 13
///     by its first 1  --a-----c-----|
///
/// A subscription keeps all different keys until it ends.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter key: writes a value's key, owned, to `*out`; a failure ends the stream. NULL: the
///   value is its own key.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: distinct. Since: 0.1
@c public func rac_signal_distinct(
  _ source: CSignal?, _ context: CContext?, _ key: rac_map_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy) else { return nil }
  return Border.derive(source) { source in
    guard let key else { return source.distinct() }
    return source.distinct(by: context, key)
  }
}

extension Signal {
  func distinct() -> Signal { lift("distinct") { DistinctSink(nil, $0) } }

  func distinct(by context: Context, _ key: @escaping rac_map_fn) -> Signal {
    lift("distinct:", holding: context) { DistinctSink(Closure(context, key), $0) }
  }
}

private final class DistinctSink: Stage {
  private let key: Closure<rac_map_fn>?
  private var keys = ValueLine()
  private var places = KeyTable()

  init(_ key: Closure<rac_map_fn>?, _ downstream: Sink) {
    self.key = key
    super.init(downstream)
  }
  override func next(_ value: Value) {
    guard scope.isActive else { return }
    guard let key else {
      if isNew(value.retained()) { downstream.next(value) }
      return
    }
    guard let fresh = result({ key.function(key.pointer, value, $0) }) else { return }
    if isNew(fresh) { downstream.next(value) }
  }

  /// Takes the key over.
  private func isNew(_ key: Value) -> Bool {
    let hash = key.hash
    if places.number(hash, where: { keys[$0].isSame(as: key) }) != nil {
      key.release()
      return false
    }
    places.append(hash)
    keys.append(key)
    return true
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(key?.context)
    keys.visit(&visitor)
  }
}
