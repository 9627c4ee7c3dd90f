import CRACShims

/// nil. Since: 0.1
@_cdecl("rac_value_nil")
public func rac_value_nil() -> rac_value { .null }

/// A boolean. Since: 0.1
@_cdecl("rac_value_bool")
public func rac_value_bool(_ flag: Bool) -> rac_value { .bool(flag) }

/// An integer. Since: 0.1
@_cdecl("rac_value_int64")
public func rac_value_int64(_ number: Int64) -> rac_value { .int64(number) }

/// A floating-point number. Since: 0.1
@_cdecl("rac_value_double")
public func rac_value_double(_ number: Double) -> rac_value { .double(number) }

/// A view of a NUL-terminated string.
///
/// Checked for UTF-8 when it enters the graph, copied only when something keeps it.
///
/// - Parameter utf8: borrowed; must not change while the view is used.
/// - Returns: a view; nil with RAC_ENULL for NULL. Since: 0.1
@available(swift, obsoleted: 1, message: "a view of a text that is gone; use rac_value_string_copy")
@_cdecl("rac_value_string")
public func rac_value_string(_ utf8: CString?) -> rac_value {
  guard let utf8 else { return refuse(Status.null, "rac_value_string", "the string is NULL") }
  return view(
    Value.Kind.string, UnsafeRawPointer(utf8), rac_shim_length(utf8), Value.Flag.view,
    "rac_value_string")
}

/// A view of a string with a length; it may contain NUL and need not end with one.
///
/// - Parameter utf8: borrowed; must not change while the view is used.
/// - Parameter length: in bytes, below 4 GiB.
/// - Returns: a view; nil with RAC_ENULL or RAC_ERANGE. Since: 0.1
@_cdecl("rac_value_string_view")
public func rac_value_string_view(_ utf8: CString?, _ length: CSize) -> rac_value {
  guard let utf8 else { return refuse(Status.null, "rac_value_string_view", "the string is NULL") }
  return view(
    Value.Kind.string, UnsafeRawPointer(utf8), length,
    Value.Flag.view | Value.Flag.unterminated, "rac_value_string_view")
}

/// A string that lives for ever, such as a literal: never copied.
///
/// - Parameter utf8: NUL-terminated; must never change or be freed.
/// - Returns: a scalar-like value; nil with RAC_ENULL for NULL. Since: 0.1
@available(swift, obsoleted: 1, message: "a view of a text that is gone; use rac_value_string_copy")
@_cdecl("rac_value_string_static")
public func rac_value_string_static(_ utf8: CString?) -> rac_value {
  guard let utf8 else {
    return refuse(Status.null, "rac_value_string_static", "the string is NULL")
  }
  return view(
    Value.Kind.string, UnsafeRawPointer(utf8), rac_shim_length(utf8), 0, "rac_value_string_static")
}

/// A copy of a string.
///
/// - Parameter utf8: borrowed; may contain NUL.
/// - Parameter length: in bytes, below 4 GiB.
/// - Returns: an owned value; nil with RAC_ENULL, RAC_EUTF8, RAC_ERANGE or RAC_ENOMEM. Since: 0.1
@_cdecl("rac_value_string_copy")
public func rac_value_string_copy(_ utf8: CString?, _ length: CSize) -> rac_value {
  copy(Value.Kind.string, utf8.map { UnsafeRawPointer($0) }, length, "rac_value_string_copy")
}

/// A string in memory that the value takes over.
///
/// - Parameter utf8: transferred; `length` bytes and a NUL.
/// - Parameter length: in bytes, below 4 GiB.
/// - Parameter context: passed to `destroy`.
/// - Parameter destroy: frees the string after its last use, on any thread; also when this call fails.
///   May be NULL.
/// - Returns: an owned value; nil with RAC_ENULL, RAC_EUTF8, RAC_ERANGE or RAC_ENOMEM. Since: 0.1
@_cdecl("rac_value_string_owned")
public func rac_value_string_owned(
  _ utf8: CString?, _ length: CSize, _ context: CContext?, _ destroy: rac_destroy_fn?
) -> rac_value {
  let function: StaticString = "rac_value_string_owned"
  if utf8 == nil {
    Failure.record(Status.null, function, "the string is NULL")
  } else if Border.count(length) > Int(UInt32.max) {
    Failure.record(Status.range, function, "a string is longer than 4 GiB")
  } else if !UTF8Check.isValid(UnsafeRawBufferPointer(start: utf8, count: length)) {
    Failure.record(Status.utf8, function, "the string is not valid UTF-8")
  } else if let box = Box.make(payload: 0) {
    box.word(2).pointee = Int(bitPattern: utf8)
    box.setOwner(context, destroy)
    return Value(
      Value.Kind.string, flags: Value.Flag.counted, length: UInt32(length), pointer: box.base)
  } else {
    Failure.record(Status.noMemory, function, "not enough memory for the value")
  }
  destroy?(context)
  return .null
}

/// A view of bytes.
///
/// - Parameter bytes: borrowed; must not change while the view is used. NULL is allowed with length 0.
/// - Parameter length: in bytes, below 4 GiB.
/// - Returns: a view; nil with RAC_ENULL or RAC_ERANGE. Since: 0.1
@_cdecl("rac_value_bytes_view")
public func rac_value_bytes_view(_ bytes: UnsafeRawPointer?, _ length: CSize) -> rac_value {
  let start = bytes ?? (length == 0 ? UnsafeRawPointer(staticText("")) : nil)
  guard let start else { return refuse(Status.null, "rac_value_bytes_view", "the bytes are NULL") }
  return view(
    Value.Kind.bytes, start, length, Value.Flag.view, "rac_value_bytes_view")
}

/// A copy of bytes.
///
/// - Parameter bytes: borrowed. NULL is allowed with length 0.
/// - Parameter length: in bytes, below 4 GiB.
/// - Returns: an owned value; nil with RAC_ENULL, RAC_ERANGE or RAC_ENOMEM. Since: 0.1
@_cdecl("rac_value_bytes_copy")
public func rac_value_bytes_copy(_ bytes: UnsafeRawPointer?, _ length: CSize) -> rac_value {
  let start = bytes ?? (length == 0 ? UnsafeRawPointer(staticText("")) : nil)
  return copy(Value.Kind.bytes, start, length, "rac_value_bytes_copy")
}

/// A pointer of yours. The library never looks behind it.
///
/// - Parameter pointer: anything, NULL included.
/// - Parameter type: a static name that rac_value_get_pointer() can check, or NULL. Types with the same
///   text are the same type.
/// - Returns: a scalar-like value; nil with RAC_ENOMEM when the name is new and does not fit in.
///   Since: 0.1
@_cdecl("rac_value_pointer")
public func rac_value_pointer(_ pointer: CContext?, _ type: CString?) -> rac_value {
  guard let number = PointerTypes.shared.number(type) else {
    return refuse(Status.noMemory, "rac_value_pointer", "not enough memory for the type")
  }
  return Value(
    Value.Kind.pointer, flags: 0, length: number, pointer: UnsafeRawPointer(pointer))
}

/// A pointer of yours that is freed with its last use.
///
/// - Parameter pointer: transferred.
/// - Parameter type: a static name, or NULL.
/// - Parameter destroy: called with the pointer, on any thread; may be NULL.
/// - Returns: an owned value; nil with RAC_ENOMEM, the pointer destroyed. Since: 0.1
@_cdecl("rac_value_pointer_owned")
public func rac_value_pointer_owned(
  _ pointer: CContext?, _ type: CString?, _ destroy: rac_destroy_fn?
) -> rac_value {
  if let number = PointerTypes.shared.number(type),
    let value = Value.ownedPointer(pointer, type: number, destroy)
  {
    return value
  }
  destroy?(pointer)
  return refuse(Status.noMemory, "rac_value_pointer_owned", "not enough memory for the value")
}

/// Gives a class of objects its number, by which values of its objects name it. The same class has the same
/// number each time. Any thread.
///
/// - Parameter type: borrowed, for ever: it must stay as it is as long as the process runs. Its functions are
///   called on any thread, with no lock held.
/// - Returns: the number, from 1; 0 with RAC_ENULL, RAC_EINVAL (wrong size) or RAC_ERANGE: there are 65,535
///   classes already. Since: 0.1
@_cdecl("rac_object_class_register")
public func rac_object_class_register(_ type: UnsafePointer<rac_object_class>?) -> UInt32 {
  let function: StaticString = "rac_object_class_register"
  guard let type else {
    Failure.record(Status.null, function, "the class is NULL")
    return 0
  }
  guard type.pointee.size >= MemoryLayout<rac_object_class>.size else {
    Failure.record(Status.invalid, function, "the class has a wrong size")
    return 0
  }
  let number = rac_shim_register_class(type)
  if number == 0 { Failure.record(Status.range, function, "there are too many classes") }
  return number
}

/// A view of an object of yours, which the library keeps and compares through its class.
///
/// Makes nothing and retains nothing. What keeps the value retains the object, once for all who keep it from
/// there on; rac_value_retain() is such a one.
///
/// - Parameter object: borrowed: it must stay as long as the view is used.
/// - Parameter number: of its class: rac_object_class_register().
/// - Returns: a view; nil with RAC_ENULL, or with RAC_EKIND when no class has the number. Since: 0.1
@_cdecl("rac_value_object")
public func rac_value_object(_ object: CContext?, _ number: UInt32) -> rac_value {
  checkedObject(object, number, "rac_value_object") { .lentObject($0, number) }
}

/// A reference to an object of yours, as a value: for what a callback writes to `*out`.
///
/// - Parameter object: transferred: one reference, which the class gives back when the value is released; left
///   alone when this call fails.
/// - Parameter number: of its class: rac_object_class_register().
/// - Returns: an owned value; nil with RAC_ENULL, or with RAC_EKIND when no class has the number. Since: 0.1
@_cdecl("rac_value_object_owned")
public func rac_value_object_owned(_ object: CContext?, _ number: UInt32) -> rac_value {
  checkedObject(object, number, "rac_value_object_owned") { .bareObject($0, number) }
}

private func checkedObject(
  _ object: CContext?, _ number: UInt32, _ function: StaticString,
  _ make: (UnsafeMutableRawPointer) -> Value
) -> rac_value {
  guard let object else { return refuse(Status.null, function, "the object is NULL") }
  guard Value.objectClass(number) != nil else {
    return refuse(Status.kind, function, "the class was never registered")
  }
  return make(object)
}

/// A tuple: an immutable list of values.
///
/// - Parameter values: borrowed; the tuple retains them. NULL is allowed with count 0.
/// - Parameter count: how many.
/// - Returns: an owned value; nil with RAC_ENULL, RAC_EKIND, RAC_EUTF8 or RAC_ENOMEM.
///   RAC: RACTuplePack. Since: 0.1
@_cdecl("rac_value_tuple")
public func rac_value_tuple(_ values: UnsafePointer<rac_value>?, _ count: CSize) -> rac_value {
  Border.tuple(values, count, "rac_value_tuple")
}

/// A tuple with one more value at its end.
///
/// - Parameter tuple: borrowed, left as it is.
/// - Parameter value: borrowed; the new tuple retains it. nil is a value.
/// - Returns: an owned value; nil with RAC_EKIND when it is no tuple, RAC_EUTF8 or RAC_ENOMEM.
///   RAC: -tupleByAddingObject:. Since: 0.1
@_cdecl("rac_tuple_by_adding")
public func rac_tuple_by_adding(_ tuple: rac_value, _ value: rac_value) -> rac_value {
  let function: StaticString = "rac_tuple_by_adding"
  guard tuple.kind == Value.Kind.tuple, tuple.isCounted, tuple.address != nil else {
    return refuse(Status.kind, function, "the value is no tuple")
  }
  return Border.take(value, function, otherwise: { _ in .null }) {
    tuple.adding($0) ?? refuse(Status.noMemory, function, "not enough memory for the value")
  }
}

/// An error: NSError's domain and code, and a message for a person.
///
/// - Parameter domain: borrowed, copied; valid UTF-8. NULL counts as "".
/// - Parameter code: any number.
/// - Parameter message: borrowed, copied; valid UTF-8. NULL counts as "".
/// - Returns: an owned value; nil with RAC_EUTF8 or RAC_ENOMEM. Since: 0.1
@_cdecl("rac_value_error")
public func rac_value_error(_ domain: CString?, _ code: Int64, _ message: CString?) -> rac_value {
  makeError(domain, code, message, .null, "rac_value_error")
}

/// An error with the value that caused it.
///
/// - Parameter domain: borrowed, copied; valid UTF-8. NULL counts as "".
/// - Parameter code: any number.
/// - Parameter message: borrowed, copied; valid UTF-8. NULL counts as "".
/// - Parameter underlying: borrowed; the error retains it.
/// - Returns: an owned value; nil with RAC_EUTF8, RAC_EKIND or RAC_ENOMEM. Since: 0.1
@_cdecl("rac_value_error_underlying")
public func rac_value_error_underlying(
  _ domain: CString?, _ code: Int64, _ message: CString?, _ underlying: rac_value
) -> rac_value {
  makeError(domain, code, message, underlying, "rac_value_error_underlying")
}

private func makeError(
  _ domain: CString?, _ code: Int64, _ message: CString?, _ underlying: rac_value,
  _ function: StaticString
) -> rac_value {
  let domain = domain ?? staticText("")
  let message = message ?? staticText("")
  guard isText(domain), isText(message) else {
    return refuse(Status.utf8, function, "the domain or the message is not valid UTF-8")
  }
  return Border.take(underlying, function, otherwise: { _ in .null }) {
    Value.error(domain: domain, code: code, message: message, underlying: $0)
      ?? refuse(Status.noMemory, function, "not enough memory for the value")
  }
}

/// A signal as a value, for signals of signals.
///
/// - Parameter signal: borrowed; the value retains it.
/// - Returns: an owned value; nil with RAC_ENULL, RAC_ESTALE or RAC_EKIND. Since: 0.1
@_cdecl("rac_value_signal")
public func rac_value_signal(_ signal: CSignal?) -> rac_value {
  Border.use(
    signal, .signals, as: Signal.self, "rac_value_signal", otherwise: { _ in .null },
    { .signal($0) })
}

/// The event of a value: what rac_signal_materialize() makes of it.
///
/// - Parameter value: borrowed; the event retains it. nil is a value.
/// - Returns: an owned value; nil with RAC_EKIND, RAC_EUTF8 or RAC_ENOMEM. RAC: +eventWithValue:.
///   Since: 0.1
@_cdecl("rac_value_event_next")
public func rac_value_event_next(_ value: rac_value) -> rac_value {
  Border.take(value, "rac_value_event_next", otherwise: { _ in .null }) {
    event(.next, $0, "rac_value_event_next")
  }
}

/// The event of an error.
///
/// - Parameter error: borrowed; the event retains it. An error or nil.
/// - Returns: an owned value; nil with RAC_EKIND or RAC_ENOMEM. RAC: +eventWithError:. Since: 0.1
@_cdecl("rac_value_event_error")
public func rac_value_event_error(_ error: rac_value) -> rac_value {
  Border.takeError(error, "rac_value_event_error", otherwise: { _ in .null }) {
    event(.error, $0, "rac_value_event_error")
  }
}

/// The event of a completion. All are the same value.
///
/// - Returns: a value; releasing it does nothing. RAC: +completedEvent. Since: 0.1
@_cdecl("rac_value_event_completed")
public func rac_value_event_completed() -> rac_value {
  event(.completed, .null, "rac_value_event_completed")
}

/// The unit: a value for streams in which only the sending matters. Equal to itself alone.
///
/// - Returns: a scalar-like value. RAC: RACUnit's +defaultUnit. Since: 0.1
@_cdecl("rac_value_unit")
public func rac_value_unit() -> rac_value { .unit }

/// A value to keep: one more reference, or a copy of what a view shows.
///
/// - Parameter value: borrowed.
/// - Returns: an owned value; nil with RAC_EKIND, RAC_EUTF8 or RAC_ENOMEM. Any thread. Since: 0.1
@_cdecl("rac_value_retain")
public func rac_value_retain(_ value: rac_value) -> rac_value {
  Border.kept(value, "rac_value_retain") ?? .null
}

/// Gives back an owned value. Does nothing to scalars and views, nor, in a forked child that does not work or
/// began anew, to signals and sequences of its parent's; what the parent made is let go of there without its
/// destroy.
///
/// - Parameter value: given back. Any thread. Since: 0.1
@_cdecl("rac_value_release")
public func rac_value_release(_ value: rac_value) {
  if value.kind > Value.Kind.double && value.kind <= Value.Kind.last && value.address != nil {
    value.release()
  }
}

private func event(_ type: EventType, _ payload: Value, _ function: StaticString) -> Value {
  .event(type, payload) ?? refuse(Status.noMemory, function, "not enough memory for the value")
}

private func isText(_ text: CString) -> Bool {
  UTF8Check.isValid(UnsafeRawBufferPointer(start: text, count: Int(rac_shim_length(text))))
}

private func view(
  _ kind: UInt8, _ start: UnsafeRawPointer, _ length: Int, _ flags: UInt8,
  _ function: StaticString
) -> Value {
  guard length >= 0, length <= Int(UInt32.max) else {
    return refuse(Status.range, function, "a string is longer than 4 GiB")
  }
  return Value(kind, flags: flags, length: UInt32(length), pointer: start)
}

private func copy(
  _ kind: UInt8, _ start: UnsafeRawPointer?, _ length: CSize, _ function: StaticString
) -> Value {
  guard let start else { return refuse(Status.null, function, "the bytes are NULL") }
  guard Border.count(length) <= Int(UInt32.max) else {
    return refuse(Status.range, function, "a string is longer than 4 GiB")
  }
  let bytes = UnsafeRawBufferPointer(start: start, count: length)
  if kind == Value.Kind.string && !UTF8Check.isValid(bytes) {
    return refuse(Status.utf8, function, "the string is not valid UTF-8")
  }
  return Value.copying(kind, bytes)
    ?? refuse(Status.noMemory, function, "not enough memory for the value")
}

private func refuse(_ status: rac_status, _ function: StaticString, _ message: StaticString)
  -> Value
{
  Failure.record(status, function, message)
  return .null
}
