// Integers of every width are RAC_INT64 in the engine. UInt64 and UInt go by their bits.

@inlinable @inline(__always)
func isInteger<T>(_ type: T.Type) -> Bool {
  type == Int.self
    || type == Int64.self
    || type == Int32.self
    || type == Int16.self
    || type == Int8.self
    || type == UInt.self
    || type == UInt64.self
    || type == UInt32.self
    || type == UInt16.self
    || type == UInt8.self
}

/// Of an integer type only.
@inlinable @inline(__always)
func integer<T>(_ value: T) -> Int64 {
  if T.self == Int.self { return Int64(truncatingIfNeeded: unsafeBitCast(value, to: Int.self)) }
  if T.self == Int64.self { return Int64(truncatingIfNeeded: unsafeBitCast(value, to: Int64.self)) }
  if T.self == Int32.self { return Int64(truncatingIfNeeded: unsafeBitCast(value, to: Int32.self)) }
  if T.self == Int16.self { return Int64(truncatingIfNeeded: unsafeBitCast(value, to: Int16.self)) }
  if T.self == Int8.self { return Int64(truncatingIfNeeded: unsafeBitCast(value, to: Int8.self)) }
  if T.self == UInt.self { return Int64(truncatingIfNeeded: unsafeBitCast(value, to: UInt.self)) }
  if T.self == UInt64.self {
    return Int64(truncatingIfNeeded: unsafeBitCast(value, to: UInt64.self))
  }
  if T.self == UInt32.self {
    return Int64(truncatingIfNeeded: unsafeBitCast(value, to: UInt32.self))
  }
  if T.self == UInt16.self {
    return Int64(truncatingIfNeeded: unsafeBitCast(value, to: UInt16.self))
  }
  return Int64(truncatingIfNeeded: unsafeBitCast(value, to: UInt8.self))
}

/// Of an integer type only; nil when it has no room for the number, which only C can have sent.
@inlinable @inline(__always)
func integer<T>(_ number: Int64, as type: T.Type) -> T? {
  if T.self == Int.self { return unsafeBitCast(Int(truncatingIfNeeded: number), to: T.self) }
  if T.self == Int64.self { return unsafeBitCast(Int64(truncatingIfNeeded: number), to: T.self) }
  if T.self == Int32.self { return Int32(exactly: number).map { unsafeBitCast($0, to: T.self) } }
  if T.self == Int16.self { return Int16(exactly: number).map { unsafeBitCast($0, to: T.self) } }
  if T.self == Int8.self { return Int8(exactly: number).map { unsafeBitCast($0, to: T.self) } }
  if T.self == UInt.self { return unsafeBitCast(UInt(truncatingIfNeeded: number), to: T.self) }
  if T.self == UInt64.self { return unsafeBitCast(UInt64(truncatingIfNeeded: number), to: T.self) }
  if T.self == UInt32.self { return UInt32(exactly: number).map { unsafeBitCast($0, to: T.self) } }
  if T.self == UInt16.self { return UInt16(exactly: number).map { unsafeBitCast($0, to: T.self) } }
  if T.self == UInt8.self { return UInt8(exactly: number).map { unsafeBitCast($0, to: T.self) } }
  return nil
}
