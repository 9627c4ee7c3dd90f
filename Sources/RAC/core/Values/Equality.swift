import CRACShims

/// Equality and hashing, as `distinctUntilChanged` and `groupBy` see them.
extension Value {
  /// Same kind and same content; numbers and truth values of any kind compare as numbers, exactly,
  /// true being 1. A NaN equals a NaN, so that a stream of NaNs does not look like a stream of
  /// changes. Values nested deeper than `depth` count as different, because comparing them would
  /// cost unbounded stack.
  func isEqual(_ other: Value, depth: Int = 1000) -> Bool {
    guard kind == other.kind else {
      if kind == Kind.object { return equalsAsObject(other) }
      if other.kind == Kind.object { return other.equalsAsObject(self) }
      guard let a = wholeNumber, let b = other.wholeNumber else { return false }
      return a == b
    }
    if isCounted, other.isCounted, bits == other.bits, kind != Kind.object { return true }
    guard depth > 0 else { return false }
    switch kind {
    case Kind.null: return true
    case Kind.double:
      let (a, b) = (asDouble, other.asDouble)
      return a == b || (a != a && b != b)
    case Kind.string, Kind.bytes:
      return isSameText(other)
    case Kind.pointer: return foreignPointer == other.foreignPointer
    case Kind.object:
      // Of two classes not even the same pointer is: the hashes are the classes' own.
      guard classNumber == other.classNumber else { return false }
      if foreignPointer == other.foreignPointer { return true }
      guard let equal = objectClass?.pointee.equal else { return false }
      return equal(foreignPointer, other.foreignPointer)
    case Kind.tuple: return sameElements(other, depth: depth &- 1)
    case Kind.event: return isSameEvent(other, depth: depth &- 1)
    case Kind.error:
      guard let a = asError, let b = other.asError else { return bits == other.bits }
      return a.code == b.code && Value.sameText(a.domain, b.domain)
        && Value.sameText(a.message, b.message)
        && a.underlying.pointee.isEqual(b.underlying.pointee, depth: depth &- 1)
    default: return bits == other.bits
    }
  }

  /// `isEqual`, quick for integers and texts.
  @inline(__always)
  func isSame(as other: Value) -> Bool {
    if kind == Kind.int64 && other.kind == Kind.int64 { return bits == other.bits }
    return isSameByContent(as: other)
  }

  @inline(never)
  private func isSameByContent(as other: Value) -> Bool {
    isText && kind == other.kind ? isSameText(other) : isEqual(other)
  }

  @inline(__always)
  private func isSameText(_ other: Value) -> Bool {
    guard length == other.length else { return false }
    let (mine, others) = (bytes, other.bytes)
    let count = mine.count
    if count >= 8, count <= 16 {
      // Short names: the first eight bytes and the last eight, which may overlap.
      return mine.word(0) == others.word(0) && mine.word(count &- 8) == others.word(count &- 8)
    }
    return rac_shim_compare(mine.baseAddress, others.baseAddress, count) == 0
  }

  /// Whether an object's class says that it equals a value of another kind.
  private func equalsAsObject(_ other: Value) -> Bool {
    guard let equal = objectClass?.pointee.equal_to else { return false }
    return equal(foreignPointer, other)
  }

  /// The integer that a number of any kind is, exactly; nil for other numbers and what is none.
  private var wholeNumber: Int64? {
    switch kind {
    case Kind.int64: return bits
    case Kind.bool: return bits != 0 ? 1 : 0
    case Kind.double: return Int64(exactly: asDouble)
    default: return nil
    }
  }

  private func sameElements(_ other: Value, depth: Int) -> Bool {
    let (a, b) = (elements, other.elements)
    guard a.count == b.count else { return false }
    for index in Places(a.count) {
      if !a[index].isEqual(b[index], depth: depth) { return false }
    }
    return true
  }

  static func sameText(_ a: UnsafePointer<CChar>, _ b: UnsafePointer<CChar>) -> Bool {
    let length = rac_shim_length(a)
    return length == rac_shim_length(b) && rac_shim_compare(a, b, length) == 0
  }

  /// Equal values have equal hashes.
  var hash: UInt64 {
    @inline(__always) get {
      if kind == Kind.int64 { return Value.mix(UInt64(bitPattern: bits), UInt64(kind)) }
      return hashOfContent
    }
  }

  private var hashOfContent: UInt64 {
    @inline(never) get { isText ? Value.hash(bytes) : hash(depth: 16) }
  }

  private func hash(depth: Int) -> UInt64 {
    switch kind {
    case Kind.null: return Value.mix(0, UInt64(kind))
    case Kind.bool, Kind.double:
      if let number = wholeNumber {
        return Value.mix(UInt64(bitPattern: number), UInt64(Kind.int64))
      }
      let number = asDouble
      return Value.mix(number != number ? 1 : number.bitPattern, UInt64(kind))
    case Kind.string, Kind.bytes: return Value.hash(bytes)
    case Kind.pointer:
      return Value.mix(UInt64(UInt(bitPattern: foreignPointer)), UInt64(kind))
    case Kind.object:
      if let type = objectClass {
        if let hash = type.pointee.hash { return hash(foreignPointer) }
        if type.pointee.equal != nil { return UInt64(kind) }
      }
      return Value.mix(UInt64(UInt(bitPattern: foreignPointer)), UInt64(kind))
    case Kind.tuple:
      var result = UInt64(kind)
      if depth > 0 {
        for element in elements { result = Value.mix(result, element.hash(depth: depth &- 1)) }
      }
      return result
    case Kind.event:
      let payload = depth > 0 ? eventPayload.hash(depth: depth &- 1) : 0
      return Value.mix(payload, UInt64(truncatingIfNeeded: eventType?.rawValue ?? 0))
    case Kind.error: return Value.mix(UInt64(bitPattern: asError?.code ?? 0), UInt64(kind))
    default: return Value.mix(UInt64(bitPattern: bits), UInt64(kind))
    }
  }

  /// A step of wyhash (Wang Yi, 2019): both halves of a product, keyed by the process's secret, so
  /// that nobody can make values of equal hashes outside of it.
  @inline(__always)
  static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let (high, low) = (a ^ rac_shim_secret.0).multipliedFullWidth(by: b ^ rac_shim_secret.1)
    return high ^ low
  }

  @inline(__always)
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    var result = UInt64(count)
    var at = 0
    while count &- at > 16 {
      result = mix(bytes.word(at) ^ result, bytes.word(at &+ 8))
      at &+= 16
    }
    let left = count &- at
    if left >= 8 { return mix(bytes.word(at) ^ result, bytes.word(count &- 8)) }
    var rest: UInt64 = 0
    while at < count {
      rest = rest << 8 | UInt64(bytes[at])
      at &+= 1
    }
    return mix(rest ^ result, result)
  }
}

extension UnsafeRawBufferPointer {
  /// Eight bytes, of which all are there.
  @inline(__always)
  fileprivate func word(_ offset: Int) -> UInt64 {
    loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}
