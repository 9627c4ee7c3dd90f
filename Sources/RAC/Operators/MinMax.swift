/// Sends the least of all numbers when the source completes; nothing if there were none.
///
///     source --3--1--2--|
///     min    -----------1|
///
/// Integers, truth values as 0 or 1, and doubles compare exactly, as numbers; of equal ones it is
/// the first. With a NaN among them it is NaN. Another value is an error, of domain "rac" and code
/// RAC_EKIND: what has an order of its own goes through rac_signal_min_with_comparer().
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: min. Since: 0.1
@_cdecl("rac_signal_min")
public func rac_signal_min(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_min") { $0.extreme("min", greatest: false) }
}

/// Sends the greatest of all numbers when the source completes, as rac_signal_min() does the least.
///
///     source --1--3--2--|
///     max    -----------3|
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: max. Since: 0.1
@_cdecl("rac_signal_max")
public func rac_signal_max(_ source: CSignal?) -> CSignal? {
  Border.derive(source, "rac_signal_max") { $0.extreme("max", greatest: true) }
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
      return fail(Status.kind, "a number was expected, another value was sent")
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
