/// Sends how many values came, when the source completes.
///
///     source --a--b--c--|
///     count  -----------(3|)
///
/// - Parameter source: borrowed.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: count. Since: 0.1
@c public func rac_signal_count(_ source: CSignal?) -> CSignal? {
  Border.derive(source) { source in source.lift("count") { CountSink($0) } }
}

private final class CountSink: Stage {
  private var count: Int64 = 0

  override func next(_ value: Value) { count &+= 1 }

  override func completed() {
    downstream.next(.int64(count))
    downstream.completed()
  }
}
