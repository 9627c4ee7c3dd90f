/// Passes the first `count` values, then completes without waiting for the source.
///
///     source --1--2--3--|
///     take 2 --1--2|
///
/// Values that come during the delivery of the last one are dropped.
///
/// - Parameter source: borrowed.
/// - Parameter count: how many; 0 completes at once without subscribing.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -take:. Rx: take. Since: 0.1
@_cdecl("rac_signal_take")
public func rac_signal_take(_ source: CSignal?, _ count: CSize) -> CSignal? {
  Border.derive(source, "rac_signal_take") { $0.take(Border.count(count)) }
}

extension Signal {
  @inline(never)
  func take(_ count: Int) -> Signal {
    count == 0 ? EmptySignal().named("take:", self) : lift("take:") { TakeSink(count, $0) }
  }
}

private final class TakeSink: Stage {
  private var left: Int

  init(_ count: Int, _ downstream: Sink) {
    left = count
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard left > 0 else { return }
    left &-= 1
    downstream.next(value)
    if left == 0 { downstream.completed() }
  }

  override func error(_ error: Value) {
    if left > 0 { downstream.error(error) }
  }

  override func completed() {
    if left > 0 { downstream.completed() }
  }
}
