/// How many values a tuple has.
///
/// - Parameter tuple: borrowed.
/// - Returns: the count; 0 with RAC_EKIND when it is no tuple. RAC: -count. Since: 0.1
@c public func rac_tuple_count(_ tuple: rac_value) -> CSize {
  guard isTuple(tuple) else { return 0 }
  return tuple.elements.count
}

/// A value of a tuple, lent.
///
/// - Parameter tuple: borrowed; the result is valid as long as it is.
/// - Parameter index: from 0.
/// - Returns: the value; nil beyond the end, as in RAC; nil with RAC_EKIND when it is no tuple.
///   RAC: -objectAtIndex:. Since: 0.1
@c public func rac_tuple_get(_ tuple: rac_value, _ index: CSize) -> rac_value {
  guard isTuple(tuple) else { return .null }
  let elements = tuple.elements
  return Border.count(index) < elements.count ? elements[index] : .null
}

/// Takes a tuple apart into variables.
///
/// - Parameter tuple: borrowed; the results are valid as long as it is.
/// - Parameter out: gets the first `count` values, lent: nil where the tuple has none. May be NULL
///   with count 0.
/// - Parameter count: how many variables.
/// - Returns: RAC_OK; RAC_ENULL; RAC_EKIND when it is no tuple: all are nil then. RAC:
///   RACTupleUnpack. Since: 0.1
@discardableResult
@c public func rac_tuple_unpack(
  _ tuple: rac_value, _ out: COut<rac_value>?, _ count: CSize
) -> rac_status {
  if count == 0 { return isTuple(tuple) ? Status.ok : Status.kind }
  guard let out else { return Failure.record(Status.null, "out is NULL") }
  let known = isTuple(tuple)
  let elements = known ? tuple.elements : UnsafeBufferPointer(start: nil, count: 0)
  for index in 0..<Border.count(count) {
    out[index] = index < elements.count ? elements[index] : .null
  }
  return known ? Status.ok : Status.kind
}

/// The domain of an error.
///
/// - Parameter error: borrowed; the result is valid as long as it is.
/// - Returns: text; "" for a nil error; "" with RAC_EKIND when it is no error. Since: 0.1
@c public func rac_error_get_domain(_ error: rac_value) -> CString? {
  inside(error)?.domain ?? staticText("")
}

/// The code of an error.
///
/// - Parameter error: borrowed.
/// - Returns: the code; 0 for a nil error; 0 with RAC_EKIND when it is no error. Since: 0.1
@c public func rac_error_get_code(_ error: rac_value) -> Int64 {
  inside(error)?.code ?? 0
}

/// The message of an error.
///
/// - Parameter error: borrowed; the result is valid as long as it is.
/// - Returns: text; "" for a nil error; "" with RAC_EKIND when it is no error. Since: 0.1
@c public func rac_error_get_message(_ error: rac_value) -> CString? {
  inside(error)?.message ?? staticText("")
}

/// The value that caused an error, lent.
///
/// - Parameter error: borrowed; the result is valid as long as it is.
/// - Returns: the value, nil if there is none; nil with RAC_EKIND when it is no error. Since: 0.1
@c public func rac_error_get_underlying(_ error: rac_value) -> rac_value {
  inside(error)?.underlying.pointee ?? .null
}

/// Which event an event value stands for.
///
/// - Parameter event: borrowed.
/// - Returns: RAC_EVENT_NEXT, RAC_EVENT_ERROR or RAC_EVENT_COMPLETED; 0 with RAC_EKIND when it is
///   no event. RAC: -eventType. Since: 0.1
@c public func rac_event_get_type(_ event: rac_value) -> Int32 {
  if let type = event.eventType { return type.rawValue }
  Failure.record(Status.kind, "the value is no event")
  return 0
}

/// The error of an event, lent.
///
/// - Parameter event: borrowed; the result is valid as long as it is.
/// - Returns: the error, which may be nil; nil for events that are no errors; nil with RAC_EKIND
///   when it is no event. RAC: -error. Since: 0.1
@c public func rac_event_get_error(_ event: rac_value) -> rac_value {
  if event.eventType == nil { Failure.record(Status.kind, "the value is no event") }
  return event.eventType == .error ? event.eventPayload : .null
}

/// The value of an event, lent.
///
/// - Parameter event: borrowed; the result is valid as long as it is.
/// - Returns: the value, which may be nil; nil for an end, whose error rac_event_get_error() gives;
///   nil with RAC_EKIND when it is no event. RAC: -value. Since: 0.1
@c public func rac_event_get_value(_ event: rac_value) -> rac_value {
  if event.eventType == nil { Failure.record(Status.kind, "the value is no event") }
  return event.eventType == .next ? event.eventPayload : .null
}

/// Whether an event is the last of its signal: an error or a completion.
///
/// - Parameter event: borrowed.
/// - Returns: true for an end; false with RAC_EKIND when it is no event. RAC: -finished. Since: 0.1
@c public func rac_event_is_finished(_ event: rac_value) -> Bool {
  if let type = event.eventType { return type != .next }
  Failure.record(Status.kind, "the value is no event")
  return false
}

private func isTuple(_ value: rac_value, _ function: StaticString = #function) -> Bool {
  if value.kind == Value.Kind.tuple && value.isCounted && value.address != nil { return true }
  Failure.record(Status.kind, "the value is no tuple", in: function)
  return false
}

private func inside(_ value: rac_value, _ function: StaticString = #function) -> ErrorBox? {
  if value.kind != Value.Kind.error && value.kind != Value.Kind.null {
    Failure.record(Status.kind, "the value is no error", in: function)
  }
  return value.asError
}
