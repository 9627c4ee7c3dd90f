import CRAC

// Values on their way into the engine and out of it.
//
//     Int, Int8 … UInt64, Bool, Double, Float    the engine's own kinds, as C has them
//     Void and what else has no size             RAC_UNIT
//     other trivial types of at most 8 bytes     RAC_POINTER: the bits; the type in `length`
//     instances of classes                       RAC_OBJECT
//     everything else                            RAC_OBJECT: a ValueBox
//
// Where the compiler knows the type, it knows its row: the functions are inlined, and come to two
// moves for an Int. A value from the engine is checked, since C may have sent it.

/// Whether values of the type have no reference to count.
@inlinable @inline(__always)
func isScalar<T>(_ type: T.Type) -> Bool {
  _isPOD(type) && MemoryLayout<T>.size <= 8
}

/// A number for a trivial type, as RAC_POINTER values carry one: none that the engine gives to a
/// name.
@inlinable @inline(__always)
func typeNumber<T>(_ type: T.Type) -> UInt32 {
  UInt32(truncatingIfNeeded: UInt(bitPattern: ObjectIdentifier(type)) >> 3) | 0x8000_0000
}

/// A value that a callback gives to the engine: owned.
@inlinable @inline(__always)
func encode<T>(_ value: T) -> rac_value {
  isScalar(T.self) ? encode(scalar: value) : encode(object: boxed(value))
}

/// Calls `body` with a value that the engine borrows: nothing is retained for it.
@inlinable @inline(__always)
func withEncoded<T, Result>(_ value: T, _ body: (rac_value) -> Result) -> Result {
  if isScalar(T.self) { return body(encode(scalar: value)) }
  let object = boxed(value)
  return withExtendedLifetime(object) {
    body(rac_object(Unmanaged.passUnretained(object).toOpaque(), ObjectClass.number))
  }
}

@inlinable @inline(__always)
func encode<T>(scalar value: T) -> rac_value {
  if isInteger(T.self) { return rac_int64(integer(value)) }
  if T.self == Double.self { return rac_double(unsafeBitCast(value, to: Double.self)) }
  if T.self == Bool.self { return rac_bool(unsafeBitCast(value, to: Bool.self)) }
  if T.self == Float.self { return rac_double(Double(unsafeBitCast(value, to: Float.self))) }
  if MemoryLayout<T>.size == 0 {
    return rac_value(kind: 12, flags: 0, reserved: 0, length: 0, bits: 0)
  }
  var bits: Int64 = 0
  withUnsafeMutableBytes(of: &bits) { into in
    withUnsafeBytes(of: value) { into.copyMemory(from: $0) }
  }
  return rac_value(kind: 6, flags: 0, reserved: 0, length: typeNumber(T.self), bits: bits)
}

/// The instance of a class, or a box around anything else.
@inlinable @inline(__always)
func boxed<T>(_ value: T) -> AnyObject {
  T.self is AnyObject.Type ? unsafeBitCast(value, to: AnyObject.self) : ValueBox(value)
}

@usableFromInline
func encode(object: AnyObject) -> rac_value {
  rac_value_object_owned(Unmanaged.passRetained(object).toOpaque(), ObjectClass.number)
}

/// The value that a callback was lent, or nil when it is of another type.
@inlinable @inline(__always)
func decode<T>(_ value: rac_value, as type: T.Type = T.self) -> T? {
  if isInteger(T.self) { return value.kind == 2 ? integer(value.bits, as: type) : nil }
  if T.self == Double.self {
    return value.kind == 3
      ? unsafeBitCast(Double(bitPattern: UInt64(bitPattern: value.bits)), to: T.self) : nil
  }
  if T.self == Bool.self {
    return value.kind == 1 ? unsafeBitCast(value.bits != 0, to: T.self) : nil
  }
  if T.self == Float.self {
    return value.kind == 3
      ? unsafeBitCast(Float(Double(bitPattern: UInt64(bitPattern: value.bits))), to: T.self) : nil
  }
  if MemoryLayout<T>.size == 0 && isScalar(T.self) {
    return value.kind == 12 ? unsafeBitCast((), to: T.self) : nil
  }
  if isScalar(T.self) {
    guard value.kind == 6 && value.length == typeNumber(T.self) && value.flags == 0 else {
      return nil
    }
    return withUnsafeBytes(of: value.bits) { $0.load(as: T.self) }
  }
  guard let object = object(of: value) else { return foreign(value) }
  if T.self is AnyObject.Type {
    return Swift.type(of: object) == T.self ? unsafeBitCast(object, to: T.self) : object as? T
  }
  guard Swift.type(of: object) == ValueBox<T>.self else { return nil }
  return unsafeDowncast(object, to: ValueBox<T>.self).value
}

/// The object in a value, if one of Swift's is in it.
@inlinable @inline(__always)
func object(of value: rac_value) -> AnyObject? {
  guard value.kind == 7, let pointer = objectPointer(of: value) else { return nil }
  return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
}

@usableFromInline
func objectPointer(of value: rac_value) -> UnsafeMutableRawPointer? {
  var pointer: UnsafeMutableRawPointer? = nil
  return rac_value_get_object(value, ObjectClass.number, &pointer) == 0 ? pointer : nil
}

/// The values that C sends where Swift expects a boxed type: the engine's strings and bytes, and
/// nil.
@usableFromInline @inline(never)
func foreign<T>(_ value: rac_value) -> T? {
  if T.self == String.self { return text(of: value) as? T }
  if T.self == [UInt8].self { return bytes(of: value) as? T }
  return nil
}

func text(of value: rac_value) -> String? {
  var start: UnsafePointer<CChar>? = nil
  var length = 0
  guard value.kind == 4, rac_value_get_text(value, &start, &length) == 0, let start else {
    return nil
  }
  return String(
    decoding: UnsafeRawBufferPointer(start: UnsafeRawPointer(start), count: length), as: UTF8.self)
}

func bytes(of value: rac_value) -> [UInt8]? {
  var start: UnsafeRawPointer? = nil
  var length = 0
  guard rac_value_get_bytes(value, &start, &length) == 0 else { return nil }
  return Array(UnsafeRawBufferPointer(start: start, count: length))
}
