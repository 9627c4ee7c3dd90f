/// Sends the least of all values when the source completes; nothing if there were none.
///
///     source             --3--1--2--|
///     min                -----------(1|)
///
///     source             --x--y--z--|   x: ccc, y: a, z: bb
///     min by its length  -----------(y|)
///
/// Of equal ones it is the first. Without a comparer integers, truth values as 0 or 1, and doubles
/// compare exactly, as numbers; with a NaN among them it is NaN, and another value is an error, of
/// domain "rac" and code RAC_EKIND.
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter compare: called for each value with the least one before it; writes a negative
///   number to `*out` when the first is less, a positive one when it is greater; left alone, or 0,
///   they are equal. A failure ends the stream. NULL compares numbers.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: min. Since: 0.1
@c public func rac_signal_min(
  _ source: CSignal?, _ context: CContext?, _ compare: rac_compare_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  extreme(source, -1, context, compare, destroy)
}

/// Sends the greatest of all values when the source completes, as rac_signal_min() does the least;
/// of equal ones the first, too.
///
///     source             --1--3--2--|
///     max                -----------(3|)
///
///     source             --x--y--z--|   x: a, y: ccc, z: bb
///     max by its length  -----------(y|)
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter compare: as for rac_signal_min().
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: max. Since: 0.1
@c public func rac_signal_max(
  _ source: CSignal?, _ context: CContext?, _ compare: rac_compare_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  extreme(source, 1, context, compare, destroy)
}

private func extreme(
  _ source: CSignal?, _ side: Int32, _ context: CContext?, _ compare: rac_compare_fn?,
  _ destroy: rac_destroy_fn?, _ function: StaticString = #function
) -> CSignal? {
  guard let context = Border.context(context, destroy, function) else { return nil }
  let isMax = side > 0
  guard let compare else {
    return Border.derive(source, function) { $0.extreme(isMax ? "max" : "min", greatest: isMax) }
  }
  return Border.derive(source, function) {
    $0.extreme(isMax ? "maxWith:" : "minWith:", side, context, compare)
  }
}

extension Signal {
  func extreme(_ operation: StaticString, greatest: Bool) -> Signal {
    lift(operation) { ExtremeSink(greatest, $0) }
  }
}

private final class ExtremeSink: Stage {
  private let wantsGreatest: Bool
  private var best: Number?
  private var value = Value.null

  init(_ wantsGreatest: Bool, _ downstream: Sink) {
    self.wantsGreatest = wantsGreatest
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard let number = Number(value) else {
      return fail(Status.kind, "a number was expected, another value was sent", at: value)
    }
    if let best {
      let isBetter = wantsGreatest ? best.isLess(than: number) : number.isLess(than: best)
      if best.isNaN || !(isBetter || number.isNaN) { return }
    }
    best = number
    self.value = value.scalar
  }

  override func completed() {
    if best != nil { downstream.next(value) }
    downstream.completed()
  }
}
