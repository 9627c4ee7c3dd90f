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
@c public func rac_signal_scan(
  _ source: CSignal?, _ start: rac_value, _ context: CContext?, _ reduce: rac_reduce_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, start, context, reduce, destroy) { $0.scan($1, $2, $3) }
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
@c public func rac_signal_scan_with_index(
  _ source: CSignal?, _ start: rac_value, _ context: CContext?, _ reduce: rac_reduce_index_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, start, context, reduce, destroy) { $0.scanWithIndex($1, $2, $3) }
}

extension Signal {
  func scan(_ start: Value, _ context: Context, _ reduce: @escaping rac_reduce_fn) -> Signal {
    lift(
      "scanWithStart:reduce:",
      RowStep(.scan(reduce, context.pointer, state: 0), context, state: start)
    )
  }

  func scanWithIndex(_ start: Value, _ context: Context, _ reduce: @escaping rac_reduce_index_fn)
    -> Signal
  {
    AccumulatingSignal(self, start, Closure(context, .indexed(reduce)), sendsEach: true)
      .named("scanWithStart:reduceWithIndex:", self)
  }
}

extension Row {
  func scan(
    _ reduce: rac_reduce_fn, _ context: CContext?, _ running: UnsafeMutablePointer<Value>,
    _ value: Words,
    at place: RowPlace
  ) -> Words? {
    var out = Value.null
    let status = _withUnprotectedUnsafeMutablePointer(to: &out) {
      reduce(context, running.pointee, value.value, $0)
    }
    if Callback.hasFailed(status) || out.kind > Value.Kind.double {
      finish(status, out, keptIn: running, at: place)
      return nil
    }
    let result = Words(scalar: out)
    let old = running.pointee
    UnsafeMutableRawPointer(running).storeBytes(of: result, as: Words.self)
    old.release()
    return result
  }

  /// The state keeps what was made, and so it outlives this call: a view must become a copy.
  @inline(never)
  private func finish(
    _ status: rac_status, _ out: Value, keptIn running: UnsafeMutablePointer<Value>,
    at place: RowPlace
  ) {
    guard
      let result = place.result({
        $0.pointee = out; return status
      })
    else { return }
    let old = running.pointee
    running.pointee = result
    old.release()
    place.send(result)
  }
}
