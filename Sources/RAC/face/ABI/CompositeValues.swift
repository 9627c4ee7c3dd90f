import CRACShims

/// A tuple: an immutable list of values.
///
/// - Parameter values: borrowed; the tuple retains them. NULL is allowed with count 0.
/// - Parameter count: how many.
/// - Returns: an owned value; nil with RAC_ENULL, RAC_EKIND, RAC_EUTF8 or RAC_ENOMEM.
///   RAC: RACTuplePack. Since: 0.1
@c public func rac_value_tuple(_ values: CList<rac_value>?, _ count: CSize) -> rac_value {
  Border.tuple(values, count)
}

/// A tuple with one more value at its end.
///
/// - Parameter tuple: borrowed, left as it is.
/// - Parameter value: borrowed; the new tuple retains it. nil is a value.
/// - Returns: an owned value; nil with RAC_EKIND when it is no tuple, RAC_EUTF8 or RAC_ENOMEM.
///   RAC: -tupleByAddingObject:. Since: 0.1
@c public func rac_tuple_by_adding(_ tuple: rac_value, _ value: rac_value) -> rac_value {
  guard tuple.kind == Value.Kind.tuple, tuple.isCounted, tuple.address != nil else {
    return Border.null(Status.kind, "the value is no tuple")
  }
  return Border.take(value, otherwise: { _ in .null }) {
    tuple.adding($0) ?? Border.null(Status.noMemory, "not enough memory for the value")
  }
}

/// An error: NSError's domain and code, and a message for a person.
///
/// - Parameter domain: borrowed, copied; valid UTF-8. NULL counts as "".
/// - Parameter code: any number.
/// - Parameter message: borrowed, copied; valid UTF-8. NULL counts as "".
/// - Returns: an owned value; nil with RAC_EUTF8 or RAC_ENOMEM. Since: 0.1
@c public func rac_value_error(_ domain: CString?, _ code: Int64, _ message: CString?) -> rac_value
{
  makeError(domain, code, message, .null)
}

/// An error with the value that caused it.
///
/// - Parameter domain: borrowed, copied; valid UTF-8. NULL counts as "".
/// - Parameter code: any number.
/// - Parameter message: borrowed, copied; valid UTF-8. NULL counts as "".
/// - Parameter underlying: borrowed; the error retains it.
/// - Returns: an owned value; nil with RAC_EUTF8, RAC_EKIND or RAC_ENOMEM. Since: 0.1
@c public func rac_value_error_underlying(
  _ domain: CString?, _ code: Int64, _ message: CString?, _ underlying: rac_value
) -> rac_value {
  makeError(domain, code, message, underlying)
}

private func makeError(
  _ domain: CString?, _ code: Int64, _ message: CString?, _ underlying: rac_value,
  _ function: StaticString = #function
) -> rac_value {
  let domain = domain ?? staticText("")
  let message = message ?? staticText("")
  guard isText(domain), isText(message) else {
    return Border.null(Status.utf8, "the domain or the message is not valid UTF-8", in: function)
  }
  return Border.take(underlying, function, otherwise: { _ in .null }) {
    Value.error(domain: domain, code: code, message: message, underlying: $0)
      ?? Border.null(Status.noMemory, "not enough memory for the value", in: function)
  }
}

/// A signal as a value, for signals of signals.
///
/// - Parameter signal: borrowed; the value retains it.
/// - Returns: an owned value; nil with RAC_ENULL, RAC_ESTALE or RAC_EKIND. Since: 0.1
@c public func rac_value_signal(_ signal: CSignal?) -> rac_value {
  Border.use(signal, .signals, as: Signal.self, otherwise: { _ in .null }, { .signal($0) })
}

/// The event of a value, as rac_signal_materialize() sends it.
///
/// - Parameter value: borrowed; the event retains it. nil is a value.
/// - Returns: an owned value; nil with RAC_EKIND, RAC_EUTF8 or RAC_ENOMEM. RAC: +eventWithValue:.
///   Since: 0.1
@c public func rac_value_event_next(_ value: rac_value) -> rac_value {
  Border.take(value, otherwise: { _ in .null }) { event(.next, $0) }
}

/// The event of an error.
///
/// - Parameter error: borrowed; the event retains it. An error or nil.
/// - Returns: an owned value; nil with RAC_EKIND or RAC_ENOMEM. RAC: +eventWithError:. Since: 0.1
@c public func rac_value_event_error(_ error: rac_value) -> rac_value {
  Border.takeError(error, otherwise: { _ in .null }) { event(.error, $0) }
}

/// The event of a completion. All are the same value.
///
/// - Returns: a value; releasing it does nothing. RAC: +completedEvent. Since: 0.1
@c public func rac_value_event_completed() -> rac_value { event(.completed, .null) }

private func event(_ type: EventType, _ payload: Value, _ function: StaticString = #function)
  -> Value
{
  .event(type, payload)
    ?? Border.null(Status.noMemory, "not enough memory for the value", in: function)
}

private func isText(_ text: CString) -> Bool {
  UTF8Check.isValid(UnsafeRawBufferPointer(start: text, count: Int(rac_shim_length(text))))
}
