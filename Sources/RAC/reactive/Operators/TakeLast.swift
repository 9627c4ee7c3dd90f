/// Sends the last `count` values when the source completes. An error drops them.
///
///     source      --1--2--3--|
///     take_last 2 -----------(23|)
///
/// - Parameter source: borrowed.
/// - Parameter count: how many; 0 sends none, more than there are sends all.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -takeLast:. Rx: takeLast. Since: 0.1
@c public func rac_signal_take_last(_ source: CSignal?, _ count: CSize) -> CSignal? {
  Border.derive(source) { source in
    Border.count(count) == 0
      ? source.ignoreValues().named("takeLast:", source)
      : source.lift("takeLast:") { TakeLastSink(Border.count(count), $0) }
  }
}

private final class TakeLastSink: Stage {
  private let count: Int
  private var line = ValueLine()

  init(_ count: Int, _ downstream: Sink) {
    self.count = count
    super.init(downstream)
  }
  override func next(_ value: Value) {
    let oldest = line.count == count ? line.popFirst() : nil
    line.append(value.retained())
    oldest?.release()
  }

  override func completed() {
    while scope.isActive, let value = line.popFirst() {
      downstream.next(owned: value)
    }
    downstream.completed()
  }

  override func visit(_ visitor: inout Visitor) { line.visit(&visitor) }
}
