/// rac_signal_scan() that starts from the first value, which is sent as it is.
///
///     source --1--2--3--|
///     scan + --1--3--6--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets the running value and the next one, writes an owned value to `*out`;
///   not called for the first value.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// Rx: scan without a seed. Since: 0.1
@c public func rac_signal_scan_without_start(
  _ source: CSignal?, _ context: CContext?, _ reduce: rac_reduce_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, reduce, destroy) { source, context, reduce in
    source.lift("scanWithoutStart:", holding: context) { ScanFromFirstSink(context, reduce, $0) }
  }
}

private final class ScanFromFirstSink: CallbackStage {
  private var running: Value?
  private let reduce: rac_reduce_fn

  init(_ context: Context, _ reduce: @escaping rac_reduce_fn, _ downstream: Sink) {
    self.reduce = reduce
    super.init(context, downstream)
  }
  deinit { running?.release() }

  override func next(_ value: Value) {
    guard scope.isActive else { return }
    guard let old = running else {
      running = value.retained()
      return downstream.next(value)
    }
    guard let result = result({ reduce(pointer, old, value, $0) }) else { return }
    running = result
    old.release()
    downstream.next(result)
  }

  override func visit(_ visitor: inout Visitor) { visitor.value(running) }
}
