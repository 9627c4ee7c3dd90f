import CRACShims
@_exported import CRACTypes

/// A value of a stream: the C struct itself, so that nothing is converted at the border.
///
/// Plain old data with manual ownership: passing one on costs no reference count. A function that
/// takes a value borrows it; one that keeps it calls `retained()` and later `release()`.
typealias Value = rac_value

extension Value {
  /// The constants of the C header, with the type that values keep them in.
  enum Kind {
    static var null: UInt8 { UInt8(RAC_NIL) }
    static var bool: UInt8 { UInt8(RAC_BOOL) }
    static var int64: UInt8 { UInt8(RAC_INT64) }
    static var double: UInt8 { UInt8(RAC_DOUBLE) }
    static var string: UInt8 { UInt8(RAC_STRING) }
    static var bytes: UInt8 { UInt8(RAC_BYTES) }
    static var pointer: UInt8 { UInt8(RAC_POINTER) }
    static var object: UInt8 { UInt8(RAC_OBJECT) }
    static var tuple: UInt8 { UInt8(RAC_TUPLE) }
    static var error: UInt8 { UInt8(RAC_ERROR) }
    static var signal: UInt8 { UInt8(RAC_SIGNAL) }
    static var event: UInt8 { UInt8(RAC_EVENT) }
    static var unit: UInt8 { UInt8(RAC_UNIT) }
    static var sequence: UInt8 { UInt8(RAC_SEQUENCE) }
    static var last: UInt8 { sequence }
  }

  enum Flag {
    /// `bits` is a counted box (or a retained signal).
    static let counted: UInt8 = 1
    /// `bits` points to bytes that are only lent: keeping the value copies them.
    static let view: UInt8 = 2
    /// A view that may lack its NUL: lent by a send, and else copied where it enters the graph.
    static let unterminated: UInt8 = 4
    /// An object of the user's, counted by its class: `bits` is no box but the object.
    static let bare: UInt8 = 8
    /// A string that stays for ever, and is known to be UTF-8.
    static let checked: UInt8 = 16
    static let keepNeedsWork = counted | view
  }

  init(_ kind: UInt8, flags: UInt8 = 0, length: UInt32 = 0, bits: Int64) {
    self.init(kind: kind, flags: flags, reserved: 0, length: length, bits: bits)
  }

  init(_ kind: UInt8, flags: UInt8, length: UInt32 = 0, pointer: UnsafeRawPointer?) {
    self.init(kind, flags: flags, length: length, bits: Int64(Int(bitPattern: pointer)))
  }

  static var null: Value { Value(kind: 0, flags: 0, reserved: 0, length: 0, bits: 0) }

  /// RACUnit
  static var unit: Value { Value(Kind.unit, bits: 0) }

  static func bool(_ flag: Bool) -> Value { Value(Kind.bool, bits: flag ? 1 : 0) }
  static func int64(_ number: Int64) -> Value { Value(Kind.int64, bits: number) }
  static func double(_ number: Double) -> Value {
    Value(Kind.double, bits: Int64(bitPattern: number.bitPattern))
  }

  /// A scalar as the library makes it. A program may fill in the struct itself and leave the
  /// private fields as they were; the flags would then be taken for a reference. Only the byte of
  /// the kind is read: it may have been written alone, and a wider read would have to wait for it.
  var scalar: Value { Value(kind, bits: bits) }

  /// The same in place. One store of the whole word, because field by field a read of the word
  /// after it would have to wait for all of them.
  mutating func makeScalar() {
    withUnsafeMutableBytes(of: &self) { bytes in
      bytes.storeBytes(of: UInt64(bytes[0]), as: UInt64.self)
    }
  }

  /// The payload is an object of the engine's, not a box.
  var isObject: Bool { kind == Kind.signal || kind == Kind.sequence }
  var isNull: Bool { kind == Kind.null }
  var isCounted: Bool { flags & Flag.counted != 0 }
  /// The payload is a box, and no object. The other kinds may have one, too: see `isObject`,
  /// `isBare`.
  private var isPlainlyBoxed: Bool {
    flags & (Flag.counted | Flag.bare) == Flag.counted && kind <= Kind.error
  }
  var asDouble: Double { Double(bitPattern: UInt64(bitPattern: bits)) }
  var address: UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: Int(truncatingIfNeeded: bits))
  }

  /// A value the caller owns: one more reference, or a copy of a lent one.
  func retained() -> Value {
    flags & Flag.keepNeedsWork == 0 ? self : retainedSlowly()
  }

  /// The same for a caller that can report a lack of memory for the copy: nil.
  @inline(__always)
  func retainedIfPossible() -> Value? {
    if flags & Flag.keepNeedsWork == 0 { return self }
    return isPlainlyBoxed ? retainedBox() : retainedRarely()
  }

  /// For a caller that can neither do without a value nor report that there was no memory for it.
  static func needed(_ value: Value?) -> Value {
    if let value { return value }
    rac_shim_fatal("out of memory")
  }

  /// Gives back one owned value. Scalars and views need no release and ignore it.
  func release() {
    if flags & Flag.counted != 0 { releaseSlowly() }
  }

  @inline(never)
  private func retainedSlowly() -> Value {
    isPlainlyBoxed ? retainedBox() : .needed(retainedRarely())
  }

  private func retainedBox() -> Value {
    Box(address.unsafelyUnwrapped).retain()
    return self
  }

  /// nil: there is no memory for a copy.
  @inline(never)
  private func retainedRarely() -> Value? {
    // Has no reference, even if a program wrote into the private fields.
    if kind == Kind.unit { return .unit }
    if flags & Flag.counted == 0 || isBare { return copied() }
    if !isObject { return retainedBox() }
    _ = Unmanaged<Object>.fromOpaque(address.unsafelyUnwrapped).retain()
    return self
  }

  @inline(never)
  private func releaseSlowly() {
    if !isPlainlyBoxed {
      releaseRarely()
    } else if isText {
      Box.releaseText(self)
    } else {
      Box.release(self)
    }
  }

  private func releaseRarely() {
    if isObject {
      releaseObject()
    } else if isBare {
      releaseBare()
    } else if kind != Kind.unit {
      Box.release(self)
    }
  }

  /// An owned copy of a view's bytes; nil when there is no memory for it.
  private func copied() -> Value? {
    kind == Kind.object ? boxedObject() : Value.copying(kind, bytes)
  }

  /// For signals and sequences. Those that a forked child has of its parent's are not its own to
  /// end.
  func releaseObject() {
    if length != Process.number { return }
    // Signals that remember signals, sequences of sequences: they may be deep.
    Reaper.drop(Unmanaged<Object>.fromOpaque(address.unsafelyUnwrapped))
  }
}
