import CRACShims

/// A number with a name, for people who look at the program: rac_report_live_handles() reports it,
/// recordings have it, and rac-scope shows it. A source that works with something outside of the
/// library shows by counters how that goes, such as the position of a reader, the lag of its group,
/// how often a connection was lost.
///
/// A recording that begins later has it, too, as long as somebody holds the handle.
///
/// - Parameter name: borrowed, copied; valid UTF-8. Several counters of one thing begin alike,
///   with a colon: "redis orders: lag". rac-scope shows those together.
/// - Returns: one reference, with the value 0; NULL with RAC_ENULL, RAC_EUTF8; RAC_EINVAL for an
///   empty name. Any thread. Since: 0.1
@c public func rac_counter_create(_ name: CString?) -> CCounter? {
  guard let name else { return Border.fail(Status.null, "the name is NULL") }
  if name.pointee == 0 { return Border.fail(Status.invalid, "a counter has a name") }
  return Border.take(rac_value_string_view(name, rac_shim_length(name)), otherwise: { _ in nil }) {
    _ in Border.give(.counter) { Counter(SignalName(name)) }
  }
}

/// Adds to a counter. Costs some nanoseconds; where there are many values, count several at once.
///
/// - Parameter counter: borrowed.
/// - Parameter more: may be negative; what is too much for 64 bits wraps.
/// - Returns: RAC_OK, RAC_ENULL, RAC_ESTALE, RAC_EKIND. Any thread. Since: 0.1
@discardableResult
@c public func rac_counter_add(_ counter: CCounter?, _ more: Int64) -> rac_status {
  Border.check(counter, .counter, as: Counter.self) {
    $0.add(more)
    return Status.ok
  }
}

/// Sets a counter, for what is known anew each time, such as a position.
///
/// - Parameter counter: borrowed.
/// - Parameter value: whichever.
/// - Returns: RAC_OK, RAC_ENULL, RAC_ESTALE, RAC_EKIND. Any thread. Since: 0.1
@discardableResult
@c public func rac_counter_set(_ counter: CCounter?, _ value: Int64) -> rac_status {
  Border.check(counter, .counter, as: Counter.self) {
    $0.set(value)
    return Status.ok
  }
}

/// A counter's value.
///
/// - Parameter counter: borrowed.
/// - Returns: the value; 0 with RAC_ENULL, RAC_ESTALE or RAC_EKIND. Any thread. Since: 0.1
@c public func rac_counter_get(_ counter: CCounter?) -> Int64 {
  Border.use(counter, .counter, as: Counter.self, otherwise: { _ in 0 }) { $0.value }
}
