import CRACShims

/// nil. Since: 0.1
@c public func rac_value_nil() -> rac_value { .null }

/// A boolean. Since: 0.1
@c public func rac_value_bool(_ flag: Bool) -> rac_value { .bool(flag) }

/// An integer. Since: 0.1
@c public func rac_value_int64(_ number: Int64) -> rac_value { .int64(number) }

/// A floating-point number. Since: 0.1
@c public func rac_value_double(_ number: Double) -> rac_value { .double(number) }

/// A view of a NUL-terminated string.
///
/// Checked for UTF-8 when it enters the graph, copied only when something keeps it.
///
/// - Parameter utf8: borrowed; must not change while the view is used.
/// - Returns: a view; nil with RAC_ENULL for NULL. Since: 0.1
@available(swift, obsoleted: 1, message: "a view of a text that is gone; use rac_value_string_copy")
@c public func rac_value_string(_ utf8: CString?) -> rac_value {
  guard let utf8 else { return Border.null(Status.null, "the string is NULL") }
  return view(
    Value.Kind.string, UnsafeRawPointer(utf8), rac_shim_length(utf8), Value.Flag.view)
}

/// A view of a string with a length; it may contain NUL and need not end with one.
///
/// A send lends it to its subscribers as it is; rac_value_get_text() reads it there without a copy.
///
/// - Parameter utf8: borrowed; must not change while the view is used.
/// - Parameter length: in bytes, below 4 GiB.
/// - Returns: a view; nil with RAC_ENULL or RAC_ERANGE. Since: 0.1
@c public func rac_value_string_view(_ utf8: CString?, _ length: CSize) -> rac_value {
  guard let utf8 else { return Border.null(Status.null, "the string is NULL") }
  return view(
    Value.Kind.string, UnsafeRawPointer(utf8), length,
    Value.Flag.view | Value.Flag.unterminated)
}

/// A string that lives for ever, such as a literal: never copied, and checked for UTF-8 once, here.
///
/// - Parameter utf8: NUL-terminated; must never change or be freed.
/// - Returns: a scalar-like value; nil with RAC_ENULL for NULL. Since: 0.1
@available(swift, obsoleted: 1, message: "a view of a text that is gone; use rac_value_string_copy")
@c public func rac_value_string_static(_ utf8: CString?) -> rac_value {
  guard let utf8 else { return Border.null(Status.null, "the string is NULL") }
  let text = UnsafeRawBufferPointer(start: utf8, count: rac_shim_length(utf8))
  // One that is not is refused where it is sent, as any other string.
  let flags = UTF8Check.isValid(text) ? Value.Flag.checked : 0
  return view(Value.Kind.string, UnsafeRawPointer(utf8), text.count, flags)
}

/// A copy of a string.
///
/// - Parameter utf8: borrowed; may contain NUL.
/// - Parameter length: in bytes, below 4 GiB.
/// - Returns: an owned value; nil with RAC_ENULL, RAC_EUTF8, RAC_ERANGE or RAC_ENOMEM. Since: 0.1
@c public func rac_value_string_copy(_ utf8: CString?, _ length: CSize) -> rac_value {
  // Most texts are short, and of ASCII.
  if let utf8, length & ~63 == 0 {
    let bytes = UnsafeRawBufferPointer(start: utf8, count: length)
    if UTF8Check.isPlain(bytes), let made = Value.copyingHere(Value.Kind.string, bytes) {
      return made
    }
  }
  return copy(Value.Kind.string, utf8.map { UnsafeRawPointer($0) }, length)
}

/// A string in memory that the value takes over.
///
/// - Parameter utf8: transferred; `length` bytes and a NUL.
/// - Parameter length: in bytes, below 4 GiB.
/// - Parameter context: passed to `destroy`.
/// - Parameter destroy: frees the string after its last use, on any thread; also when this call
///   fails. May be NULL.
/// - Returns: an owned value; nil with RAC_ENULL, RAC_EUTF8, RAC_ERANGE or RAC_ENOMEM. Since: 0.1
@c public func rac_value_string_owned(
  _ utf8: CString?, _ length: CSize, _ context: CContext?, _ destroy: rac_destroy_fn?
) -> rac_value {
  if utf8 == nil {
    Failure.record(Status.null, "the string is NULL")
  } else if Border.count(length) > Int(UInt32.max) {
    Failure.record(Status.range, "a string is longer than 4 GiB")
  } else if !UTF8Check.isValid(UnsafeRawBufferPointer(start: utf8, count: length)) {
    Failure.record(Status.utf8, "the string is not valid UTF-8")
  } else if let box = Box.make(payload: 0) {
    box.word(2).pointee = Int(bitPattern: utf8)
    box.setOwner(context, destroy)
    return Value(
      Value.Kind.string, flags: Value.Flag.counted, length: UInt32(length), pointer: box.base)
  } else {
    Failure.record(Status.noMemory, "not enough memory for the value")
  }
  Border.destroy(context, destroy)
  return .null
}

/// A view of bytes.
///
/// - Parameter bytes: borrowed; must not change while the view is used. NULL is allowed with length
///   0.
/// - Parameter length: in bytes, below 4 GiB.
/// - Returns: a view; nil with RAC_ENULL or RAC_ERANGE. Since: 0.1
@c public func rac_value_bytes_view(_ bytes: UnsafeRawPointer?, _ length: CSize) -> rac_value {
  let start = bytes ?? (length == 0 ? UnsafeRawPointer(staticText("")) : nil)
  guard let start else { return Border.null(Status.null, "the bytes are NULL") }
  return view(Value.Kind.bytes, start, length, Value.Flag.view)
}

/// A copy of bytes.
///
/// - Parameter bytes: borrowed. NULL is allowed with length 0.
/// - Parameter length: in bytes, below 4 GiB.
/// - Returns: an owned value; nil with RAC_ENULL, RAC_ERANGE or RAC_ENOMEM. Since: 0.1
@c public func rac_value_bytes_copy(_ bytes: UnsafeRawPointer?, _ length: CSize) -> rac_value {
  let start = bytes ?? (length == 0 ? UnsafeRawPointer(staticText("")) : nil)
  return copy(Value.Kind.bytes, start, length)
}

/// The unit: a value for streams in which only the sending matters. Equal to itself alone.
///
/// - Returns: a scalar-like value. RAC: RACUnit's +defaultUnit. Since: 0.1
@c public func rac_value_unit() -> rac_value { .unit }

/// A value to keep: one more reference, or a copy of what a view shows.
///
/// - Parameter value: borrowed.
/// - Returns: an owned value; nil with RAC_EKIND, RAC_EUTF8 or RAC_ENOMEM. Any thread. Since: 0.1
@c public func rac_value_retain(_ value: rac_value) -> rac_value {
  Border.kept(value) ?? .null
}

/// Gives back an owned value. Does nothing to scalars and views. In a forked child that does not
/// work, or began anew, it does nothing to the parent's signals and sequences either, and frees the
/// parent's other values without their destroy.
///
/// - Parameter value: given back. Any thread. Since: 0.1
@c public func rac_value_release(_ value: rac_value) {
  guard value.isCounted, value.address != nil else { return }
  if value.isText {
    Box.releaseText(value)
  } else if value.kind > Value.Kind.double && value.kind <= Value.Kind.last {
    value.release()
  }
}

private func view(
  _ kind: UInt8, _ start: UnsafeRawPointer, _ length: Int, _ flags: UInt8,
  _ function: StaticString = #function
) -> Value {
  guard length >= 0, length <= Int(UInt32.max) else {
    return Border.null(Status.range, "a string is longer than 4 GiB", in: function)
  }
  return Value(kind, flags: flags, length: UInt32(length), pointer: start)
}

private func copy(
  _ kind: UInt8, _ start: UnsafeRawPointer?, _ length: CSize, _ function: StaticString = #function
) -> Value {
  guard let start else { return Border.null(Status.null, "the bytes are NULL", in: function) }
  guard Border.count(length) <= Int(UInt32.max) else {
    return Border.null(Status.range, "a string is longer than 4 GiB", in: function)
  }
  let bytes = UnsafeRawBufferPointer(start: start, count: length)
  if kind == Value.Kind.string && !UTF8Check.isValid(bytes) {
    return Border.null(Status.utf8, "the string is not valid UTF-8", in: function)
  }
  return Value.copying(kind, bytes)
    ?? Border.null(Status.noMemory, "not enough memory for the value", in: function)
}

extension Border {
  /// Stands in place of a value that cannot be made.
  static func null(
    _ status: rac_status, _ message: StaticString, in function: StaticString = #function
  ) -> Value {
    Failure.record(status, message, in: function)
    return .null
  }
}
