/// Sends the running result of `reduce`. The start itself is not sent.
///
///     source   --1--2--3--|
///     scan 0,+ --1--3--6--|
///
/// - Parameter source: borrowed.
/// - Parameter start: borrowed; each subscription starts from it.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets the running value and the next one, writes an owned value to `*out`.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -scanWithStart:reduce:. Rx: scan. Since: 0.1
@_cdecl("rac_signal_scan")
public func rac_signal_scan(
  _ source: CSignal?, _ start: rac_value, _ context: CContext?, _ reduce: rac_reduce_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_scan") else { return nil }
  return Border.derive(source, start, reduce, "rac_signal_scan") {
    $0.scan($1, context, $2)
  }
}

/// rac_signal_scan() with a callback that is told how many values came before.
///
///     source           --1--2--3--|
///     scan 0,+ + index --1--4--9--|
///
/// - Parameter source: borrowed.
/// - Parameter start: borrowed; each subscription starts from it.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets the running value, the next one and its index from 0, writes an owned
///   value to `*out`.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -scanWithStart:reduceWithIndex:. Rx: scan. Since: 0.1
@_cdecl("rac_signal_scan_with_index")
public func rac_signal_scan_with_index(
  _ source: CSignal?, _ start: rac_value, _ context: CContext?, _ reduce: rac_reduce_index_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  guard let context = Border.context(context, destroy, "rac_signal_scan_with_index") else {
    return nil
  }
  return Border.derive(source, start, reduce, "rac_signal_scan_with_index") {
    $0.scanWithIndex($1, context, $2)
  }
}

extension Signal {
  @inline(never)
  func scan(_ start: Value, _ context: Context, _ reduce: @escaping rac_reduce_fn) -> Signal {
    let start = OwnedValue(start)
    return lift("scanWithStart:reduce:") { ScanSink(start.value, Closure(context, reduce), $0) }
  }

  @inline(never)
  func scanWithIndex(_ start: Value, _ context: Context, _ reduce: @escaping rac_reduce_index_fn)
    -> Signal
  {
    let start = OwnedValue(start)
    return lift("scanWithStart:reduceWithIndex:") {
      AccumulatingSink(start.value, Closure(context, .indexed(reduce)), sendsEach: true, $0)
    }
  }
}

private final class ScanSink: Stage {
  private var running: Value
  private let reduce: Closure<rac_reduce_fn>

  init(_ start: Value, _ reduce: Closure<rac_reduce_fn>, _ downstream: Sink) {
    running = start.retained()
    self.reduce = reduce
    super.init(downstream)
  }
  deinit { running.release() }

  override func next(_ value: Value) {
    guard scope.isActive,
      let result = result({ reduce.function(reduce.pointer, running, value, $0) })
    else { return }
    let old = running
    running = result
    old.release()
    downstream.next(result)
  }
}
