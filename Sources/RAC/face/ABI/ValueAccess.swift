/// Whether two values are equal in content: numbers of all kinds as exact numbers, true as 1 and a
/// NaN equal to a NaN; other values only with those of the same kind, objects by their class, never
/// of two classes, tuples element by element. Tuples nested a thousand deep and more count as
/// different unless they are the same one.
///
/// - Parameter a: borrowed.
/// - Parameter b: borrowed.
/// - Returns: true when equal; false, with a failure recorded, when one is no sound value. Since:
///   0.1
@c public func rac_value_equal(_ a: rac_value, _ b: rac_value) -> Bool {
  Border.take(a, otherwise: { _ in false }) { a in
    Border.take(b, otherwise: { _ in false }) { a.isEqual($0) }
  }
}

/// A hash; equal values have equal hashes.
///
/// - Parameter value: borrowed.
/// - Returns: a number that is the same for the length of the process only. Since: 0.1
@c public func rac_value_hash(_ value: rac_value) -> UInt64 {
  Border.take(value, otherwise: { _ in 0 }) { $0.hash }
}

/// Formats a value as text for a person, as logs show it; used like snprintf().
///
/// - Parameter value: borrowed.
/// - Parameter buffer: gets at most `capacity` bytes, the NUL included; no character is cut in two.
///   May be NULL with capacity 0.
/// - Parameter capacity: in bytes.
/// - Returns: the length of the whole text without its NUL, as snprintf does. Since: 0.1
@c public func rac_value_describe(_ value: rac_value, _ buffer: CBuffer?, _ capacity: CSize)
  -> CSize
{
  var text = TextBuffer()
  Border.take(value, otherwise: { _ in text.append("<?>") }) { $0.describe(to: &text) }
  return text.write(to: buffer, Border.count(capacity))
}

/// The boolean in a value.
///
/// - Parameter value: borrowed.
/// - Parameter out: left alone on failure.
/// - Returns: RAC_OK, RAC_EKIND when it is no boolean, RAC_ENULL. Since: 0.1
@discardableResult
@c public func rac_value_get_bool(_ value: rac_value, _ out: COut<Bool>?) -> rac_status {
  get(value, Value.Kind.bool, out) { $0.bits != 0 }
}

/// The integer in a value.
///
/// - Parameter value: borrowed.
/// - Parameter out: left alone on failure.
/// - Returns: RAC_OK, RAC_EKIND when it is no integer, RAC_ENULL. Since: 0.1
@discardableResult
@c public func rac_value_get_int64(_ value: rac_value, _ out: COut<Int64>?) -> rac_status {
  get(value, Value.Kind.int64, out) { $0.bits }
}

/// The number in a value.
///
/// - Parameter value: borrowed.
/// - Parameter out: left alone on failure.
/// - Returns: RAC_OK, RAC_EKIND when it is no double, RAC_ENULL. Since: 0.1
@discardableResult
@c public func rac_value_get_double(_ value: rac_value, _ out: COut<Double>?) -> rac_status {
  get(value, Value.Kind.double, out) { $0.asDouble }
}

/// A number of any kind as an integer: a double is cut off towards zero, true is 1.
///
/// - Parameter value: borrowed.
/// - Parameter out: left alone on failure.
/// - Returns: RAC_OK, RAC_EKIND when it is no number and no boolean, RAC_ERANGE for a NaN and
///   beyond an int64_t, RAC_ENULL. RAC: NSNumber's -longLongValue. Since: 0.1
@discardableResult
@c public func rac_value_to_int64(_ value: rac_value, _ out: COut<Int64>?) -> rac_status {
  if value.kind == Value.Kind.bool {
    return get(value, Value.Kind.bool, out) { $0.bits != 0 ? 1 : 0 }
  }
  if value.kind != Value.Kind.double { return get(value, Value.Kind.int64, out) { $0.bits } }
  guard let number = Int64(exactly: value.asDouble.rounded(.towardZero)) else {
    return Failure.record(Status.range, "the number is beyond an int64_t")
  }
  return get(value, Value.Kind.double, out) { _ in number }
}

/// A number of any kind as a double: an integer becomes the nearest one, true is 1.
///
/// - Parameter value: borrowed.
/// - Parameter out: left alone on failure.
/// - Returns: RAC_OK, RAC_EKIND when it is no number and no boolean, RAC_ENULL.
///   RAC: NSNumber's -doubleValue. Since: 0.1
@discardableResult
@c public func rac_value_to_double(_ value: rac_value, _ out: COut<Double>?) -> rac_status {
  if value.kind == Value.Kind.double { return get(value, Value.Kind.double, out) { $0.asDouble } }
  if value.kind == Value.Kind.bool {
    return get(value, Value.Kind.bool, out) { $0.bits != 0 ? 1 : 0 }
  }
  return get(value, Value.Kind.int64, out) { Double($0.bits) }
}

/// The text in a string value, with a NUL behind it. It may contain further NULs: see the length.
///
/// The text of a view without a NUL that is being sent is copied for it: rac_value_get_text() needs
/// no copy.
///
/// - Parameter value: borrowed; the text is valid as long as it is.
/// - Parameter out: left alone on failure.
/// - Parameter length: in bytes, without the last NUL; may be NULL.
/// - Returns: RAC_OK, RAC_EKIND when it is no string, RAC_ENULL, RAC_ENOMEM; RAC_EINVAL for a
///   rac_value_string_view() that this thread is not sending. Since: 0.1
@discardableResult
@c public func rac_value_get_string(
  _ value: rac_value, _ out: COut<CString?>?, _ length: COut<CSize>?
) -> rac_status {
  if value.isUnterminated { return getTerminated(value, out, length) }
  let status = get(value, Value.Kind.string, out) {
    $0.bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
  }
  if status == Status.ok { length?.pointee = Int(value.length) }
  return status
}

/// The text of a string, or the bytes of a bytes value, as they lie: perhaps without a NUL behind
/// them.
///
/// - Parameter value: borrowed; the text is valid as long as it is.
/// - Parameter out: left alone on failure.
/// - Parameter length: in bytes; may be NULL.
/// - Returns: RAC_OK, RAC_EKIND when it is neither, RAC_ENULL. Since: 0.1
@discardableResult
@c public func rac_value_get_text(
  _ value: rac_value, _ out: COut<CString?>?, _ length: COut<CSize>?
) -> rac_status {
  guard let out else { return Failure.record(Status.null, "out is NULL") }
  guard value.isText, value.address != nil else {
    return Failure.record(Status.kind, "the value is neither a string nor bytes")
  }
  out.pointee = value.bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
  length?.pointee = Int(value.length)
  return Status.ok
}

/// The bytes in a bytes value. Not those of a string, which says more of itself:
/// rac_value_get_string() gives them, with their length.
///
/// - Parameter value: borrowed; the bytes are valid as long as it is.
/// - Parameter out: left alone on failure.
/// - Parameter length: in bytes; may be NULL.
/// - Returns: RAC_OK, RAC_EKIND when it is not bytes, RAC_ENULL. Since: 0.1
@discardableResult
@c public func rac_value_get_bytes(
  _ value: rac_value, _ out: COut<UnsafeRawPointer?>?, _ length: COut<CSize>?
) -> rac_status {
  let status = get(value, Value.Kind.bytes, out) { $0.bytes.baseAddress }
  if status == Status.ok { length?.pointee = Int(value.length) }
  return status
}

/// The pointer in a pointer value.
///
/// - Parameter value: borrowed.
/// - Parameter type: borrowed; the name the pointer must have been made with; NULL accepts any.
/// - Parameter out: left alone on failure.
/// - Returns: RAC_OK, RAC_EKIND when it is no pointer or of another type, RAC_ENULL. Since: 0.1
@discardableResult
@c public func rac_value_get_pointer(
  _ value: rac_value, _ type: CString?, _ out: COut<CContext?>?
) -> rac_status {
  if value.kind == Value.Kind.pointer, type != nil,
    value.length != PointerTypes.shared.number(type, adding: false)
  {
    return Failure.record(Status.kind, "the pointer is of another type")
  }
  return get(value, Value.Kind.pointer, out) { $0.foreignPointer }
}

/// The object in an object value, lent.
///
/// - Parameter value: borrowed.
/// - Parameter number: of the class that it must be of; 0 accepts any.
/// - Parameter out: left alone on failure.
/// - Returns: RAC_OK, RAC_EKIND when it is no object or of another class, RAC_ENULL. Since: 0.1
@discardableResult
@c public func rac_value_get_object(
  _ value: rac_value, _ number: UInt32, _ out: COut<CContext?>?
) -> rac_status {
  if value.kind == Value.Kind.object, number != 0, number != value.classNumber {
    return Failure.record(Status.kind, "the object is of another class")
  }
  return get(value, Value.Kind.object, out) { $0.foreignPointer }
}

/// The signal in a signal value, as a handle.
///
/// - Parameter value: borrowed.
/// - Returns: one reference, to be released; NULL with RAC_EKIND when it is no signal. Since: 0.1
@c public func rac_value_to_signal(_ value: rac_value) -> CSignal? {
  guard value.isCounted, let signal = value.asSignal else {
    return Border.fail(Status.kind, "the value is no signal")
  }
  let kind: HandleKind = signal is GroupedSubject ? .grouped : .plainSignal
  return Border.give(kind) { signal }
}

@inline(never)
private func getTerminated(
  _ value: rac_value, _ out: COut<CString?>?, _ length: COut<CSize>?
) -> rac_status {
  let function: StaticString = "rac_value_get_string"
  guard let out else { return Failure.record(Status.null, "out is NULL", in: function) }
  guard let lent = LentText.of(value) else {
    return Failure.record(
      Status.invalid, "the text has no NUL behind it: rac_value_get_text() reads it", in: function)
  }
  guard let text = lent.pointee.terminated() else {
    return Failure.record(Status.noMemory, "not enough memory for the text", in: function)
  }
  out.pointee = text.assumingMemoryBound(to: CChar.self)
  length?.pointee = Int(value.length)
  return Status.ok
}

private func get<T>(
  _ value: rac_value, _ kind: UInt8, _ out: UnsafeMutablePointer<T>?,
  _ function: StaticString = #function,
  _ read: (Value) -> T
) -> rac_status {
  guard let out else { return Failure.record(Status.null, "out is NULL", in: function) }
  let isSound = kind <= Value.Kind.double || kind == Value.Kind.pointer || value.address != nil
  guard value.kind == kind, isSound else {
    return Failure.record(Status.kind, "the value is of another kind", in: function)
  }
  out.pointee = read(value)
  return Status.ok
}
