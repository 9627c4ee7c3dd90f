/// Sends the least of all values when the source completes, as a comparer of yours has them;
/// nothing if there were none.
///
///     source             --ccc--a--bb--|
///     min by its length  --------------a|
///
/// Of equal ones it is the first. A value is compared when it comes, with the least one before it.
/// For numbers there is rac_signal_min().
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter compare: writes a negative number to `*out` when the first value is less, a positive
///   one when it is greater; left alone, or 0, they are equal. A failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: min with a comparer. Since: 0.1
@_cdecl("rac_signal_min_with_comparer")
public func rac_signal_min_with_comparer(
  _ source: CSignal?, _ context: CContext?, _ compare: rac_compare_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  let function: StaticString = "rac_signal_min_with_comparer"
  guard let context = Border.context(context, destroy, function) else { return nil }
  return Border.derive(source, compare, function) { $0.extreme("minWith:", -1, context, $1) }
}

/// Sends the greatest of all values when the source completes, as rac_signal_min_with_comparer()
/// does the least; of equal ones the first, too.
///
///     source             --a--ccc--bb--|
///     max by its length  --------------ccc|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter compare: as for rac_signal_min_with_comparer().
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: max with a comparer. Since: 0.1
@_cdecl("rac_signal_max_with_comparer")
public func rac_signal_max_with_comparer(
  _ source: CSignal?, _ context: CContext?, _ compare: rac_compare_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  let function: StaticString = "rac_signal_max_with_comparer"
  guard let context = Border.context(context, destroy, function) else { return nil }
  return Border.derive(source, compare, function) { $0.extreme("maxWith:", 1, context, $1) }
}

extension Signal {
  /// The side is how a value has to compare to the best one to take its place.
  func extreme(
    _ operation: StaticString, _ side: Int32, _ context: Context,
    _ compare: @escaping rac_compare_fn
  ) -> Signal {
    lift(operation, ExtremeStep(side, context, compare))
  }
}

/// State: the best value so far.
private final class ExtremeStep: RowStep {
  private let side: Int32
  private let compare: rac_compare_fn

  init(_ side: Int32, _ context: Context, _ compare: @escaping rac_compare_fn) {
    self.side = side
    self.compare = compare
    super.init(context, state: .nothing)
  }

  override func next(_ value: Value, at place: RowPlace) -> Value? {
    if place.state.kind != Value.nothing.kind {
      var order: Int32 = 0
      let status = compare(pointer, value, place.state, &order)
      if Callback.hasFailed(status) {
        place.fail(status)
        return nil
      }
      if order.signum() != side { return nil }
    }
    place.keep(value.retained())
    return nil
  }

  override var sendsAtEnd: Bool { true }
  override func completed(at place: RowPlace) -> Bool {
    if place.state.kind != Value.nothing.kind { place.send(place.state) }
    return true
  }
}
