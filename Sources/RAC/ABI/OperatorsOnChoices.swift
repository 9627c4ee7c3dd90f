// Section: 13 Operators: several signals

/// rac_signal_combine_latest() with a callback that makes one value of the latest ones.
///
///     a         --1-----2-----|
///     b         ----3------4--|
///     combine + ----4---5--6--|
///
/// - Parameter signals: borrowed array of borrowed signals; may be NULL with count 0.
/// - Parameter count: how many; 0 makes a signal that completes at once.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets `count` values; writes an owned value to `*out`. A failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +combineLatest:reduce:. Since: 0.1
@_cdecl("rac_signal_combine_latest_reduce")
public func rac_signal_combine_latest_reduce(
  _ signals: UnsafePointer<CSignal?>?, _ count: CSize, _ context: CContext?,
  _ reduce: rac_reduce_each_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  let function: StaticString = "rac_signal_combine_latest_reduce"
  let context = Context(context, destroy)
  guard let reduce else { return Border.fail(Status.null, function, "reduce is NULL") }
  return Border.derive(signals, count, function) {
    Signal.combineLatest($0).reduceEach(context, reduce)
  }
}

/// rac_signal_zip() with a callback that makes one value of those that belong together.
///
///     a     --1--2------3--|
///     b     ----3-----4--------|
///     zip + ----4-----6----|
///
/// - Parameter signals: borrowed array of borrowed signals; may be NULL with count 0.
/// - Parameter count: how many; 0 makes a signal that completes at once.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets `count` values; writes an owned value to `*out`. A failure ends the stream.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: +zip:reduce:. Since: 0.1
@_cdecl("rac_signal_zip_reduce")
public func rac_signal_zip_reduce(
  _ signals: UnsafePointer<CSignal?>?, _ count: CSize, _ context: CContext?,
  _ reduce: rac_reduce_each_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  let function: StaticString = "rac_signal_zip_reduce"
  let context = Context(context, destroy)
  guard let reduce else { return Border.fail(Status.null, function, "reduce is NULL") }
  return Border.derive(signals, count, function) { Signal.zip($0).reduceEach(context, reduce) }
}

/// Drops all values, and goes on after the completion with a signal that a callback makes only then.
///
///     source --1--2--|
///     next            --3--|
///     then   ----------3--|
///
/// - Parameter source: borrowed.
/// - Parameter context: passed to the callbacks.
/// - Parameter factory: writes a signal, transferred, to `*out`; NULL counts as an empty signal.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///   RAC: -then:. Since: 0.1
@_cdecl("rac_signal_then")
public func rac_signal_then(
  _ source: CSignal?, _ context: CContext?, _ factory: rac_defer_fn?, _ destroy: rac_destroy_fn?
) -> CSignal? {
  let context = Context(context, destroy)
  return Border.derive(source, factory, "rac_signal_then") { $0.then(context, $1) }
}
