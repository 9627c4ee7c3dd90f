import CRAC
import CReactive

// Values on their way into the engine and out of it.
//
//     Int, Int8 … UInt64, Bool, Double, Float    the engine's own kinds, as C has them
//     Void and what else has no size             RAC_UNIT
//     other trivial types of at most 8 bytes     RAC_POINTER: the bits; the type in `length`
//     instances of classes                       RAC_OBJECT of ObjectClass
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
  if isScalar(T.self) { return encode(scalar: value) }
  return isClass(T.self)
    ? encode(object: unsafeBitCast(value, to: AnyObject.self)) : encode(box: ValueBox(value))
}

/// Calls `body` with a value that the engine borrows: nothing is retained for it.
@inlinable @inline(__always)
func withEncoded<T, Result>(_ value: T, _ body: (rac_value) -> Result) -> Result {
  if isScalar(T.self) { return body(encode(scalar: value)) }
  if isClass(T.self) {
    let object = Unmanaged.passUnretained(unsafeBitCast(value, to: AnyObject.self)).toOpaque()
    let result = body(rac_object(object, ObjectClass.number))
    withExtendedLifetime(value) {}
    return result
  }
  let box = ValueBox(value)
  let result = body(rac_object(box.memory, ValueBox.classNumber))
  box.release(T.self)
  return result
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

/// Whether values of the type are references to instances. The compiler knows it of most types.
@inlinable @inline(__always)
func isClass<T>(_ type: T.Type) -> Bool {
  _canBeClass(type) != 0 && type is AnyObject.Type
}

@usableFromInline
func encode(object: AnyObject) -> rac_value {
  rac_value_object_owned(Unmanaged.passRetained(object).toOpaque(), ObjectClass.number)
}

/// Takes the box's reference over.
@usableFromInline
func encode(box: ValueBox) -> rac_value { rac_value_object_owned(box.memory, ValueBox.classNumber) }

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
  if !isClass(T.self) {
    guard let box = box(in: value) else { return foreign(value) }
    return box.value(as: T.self)
  }
  guard let pointer = pointer(in: value, ObjectClass.number) else { return nil }
  return Unmanaged<AnyObject>.fromOpaque(pointer)._withUnsafeGuaranteedRef { object in
    Swift.type(of: object) == T.self ? unsafeBitCast(object, to: T.self) : object as? T
  }
}

/// The object in a value, if one of Swift's is in it.
@inlinable @inline(__always)
func object(of value: rac_value) -> AnyObject? {
  pointer(in: value, ObjectClass.number).map {
    Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue()
  }
}

@inlinable @inline(__always)
func box(in value: rac_value) -> ValueBox? {
  pointer(in: value, ValueBox.classNumber).map { ValueBox(memory: $0) }
}

@inlinable @inline(__always)
func pointer(in value: rac_value, _ number: UInt32) -> UnsafeMutableRawPointer? {
  rac_object_in(value, number) ?? keptPointer(in: value, number)
}

/// Of a value that was kept meanwhile, or is no object at all.
@usableFromInline @inline(never)
func keptPointer(in value: rac_value, _ number: UInt32) -> UnsafeMutableRawPointer? {
  var pointer: UnsafeMutableRawPointer? = nil
  guard value.kind == 7, rac_value_get_object(value, number, &pointer) == 0 else { return nil }
  return pointer
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
