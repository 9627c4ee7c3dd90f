/// Sends the value with an index, counted from 0, and completes.
///
///     source       --a--b--c--d--|
///     element_at 2 --------c|
///
/// A source that completes sooner is an error, of domain "rac" and code RAC_ERANGE. For a value in its
/// place there are rac_signal_skip(), rac_signal_take() of 1 and rac_signal_default_if_empty(), in a row.
///
/// - Parameter source: borrowed.
/// - Parameter index: how many values come before it.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: elementAt. Since: 0.1
@_cdecl("rac_signal_element_at")
public func rac_signal_element_at(_ source: CSignal?, _ index: CSize) -> CSignal? {
  Border.derive(source, "rac_signal_element_at") { $0.element(at: Border.count(index)) }
}

extension Signal {
  func element(at index: Int) -> Signal { lift("elementAt:") { ElementAtSink(index, $0) } }
}

private final class ElementAtSink: Stage {
  private var left: Int
  private var hasEnded = false

  init(_ index: Int, _ downstream: Sink) {
    left = index
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if hasEnded { return }
    guard left == 0 else {
      left &-= 1
      return
    }
    hasEnded = true
    downstream.next(value)
    downstream.completed()
  }

  override func error(_ error: Value) {
    if !hasEnded { downstream.error(error) }
    hasEnded = true
  }

  override func completed() {
    if !hasEnded { fail(Status.range, "the source completed before that element") }
  }
}
