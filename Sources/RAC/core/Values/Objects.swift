import CRACShims

/// Objects of the user's: a pointer, and the number of the class by which it is kept and compared.
///
/// ```
///          flags            bits         length
/// lent     view             the object   class
/// bare     counted, bare    the object   class, and above 16 bits the process: see `isParents`
/// boxed    counted          a box        class
/// ```
/// A program sends a lent one: nothing is made for it. The first keeper retains the object, by its
/// class, and puts it into a box, which all further keepers share: so the thread that brought the
/// value asks the class, and the one that lets go of it last, and none between them. A bare one is
/// a reference to the object itself, as callbacks write it to `*out`: mostly it is over before
/// anybody keeps it.
extension Value {
  typealias ObjectClass = UnsafePointer<rac_object_class>

  private static var numbers: UInt32 { UInt32(RAC_CLASS_COUNT) &- 1 }

  /// A reference to an object, which the value takes over.
  static func bareObject(_ object: UnsafeMutableRawPointer, _ number: UInt32) -> Value {
    Value(
      Kind.object, flags: Flag.counted | Flag.bare, length: number | Process.number &<< 16,
      pointer: object)
  }

  static func lentObject(_ object: UnsafeMutableRawPointer, _ number: UInt32) -> Value {
    Value(Kind.object, flags: Flag.view, length: number, pointer: object)
  }

  /// A reference to an object, and no box around it.
  var isBare: Bool { flags & Flag.bare != 0 && kind == Kind.object }

  var classNumber: UInt32 { length & Value.numbers }

  /// nil: there is none of that number.
  var objectClass: ObjectClass? { Value.objectClass(classNumber) }

  static func objectClass(_ number: UInt32) -> ObjectClass? {
    rac_shim_class(number)?.assumingMemoryBound(to: rac_object_class.self)
  }

  /// A lent or bare object in a box, which has a reference of its own; nil when there is no memory
  /// for it.
  func boxedObject() -> Value? {
    let object = address
    guard let box = boxObject() else { return nil }
    objectClass?.pointee.retain?(object)
    return box
  }

  /// A value that a callback made, fit to be read and kept by any thread. Takes it over.
  func kept() -> Value {
    if !isBare { return isCounted ? self : retained() }
    return .needed(boxObject())
  }

  /// A box that has taken the reference over.
  private func boxObject() -> Value? {
    guard let box = Box.make(payload: 0) else { return nil }
    box.word(1).pointee = Int(classNumber)
    box.word(2).pointee = Int(bits)
    return Value(Kind.object, flags: Flag.counted, length: classNumber, pointer: box.base)
  }

  /// Gives back the reference that a bare object is.
  func releaseBare() {
    if length >> 16 == Process.number & Value.numbers { objectClass?.pointee.release?(address) }
  }

  /// An object of a class there is, fit to be used.
  var isSoundObject: Bool {
    @inline(never) get {
      kind == Kind.object && flags & Flag.keepNeedsWork != 0 && bits != 0
        && rac_shim_class(classNumber) != nil
    }
  }

  /// The check of an object that a program made.
  func admittedObject() -> ValueCheck {
    if isSoundObject { return .sound }
    if flags & Flag.keepNeedsWork == 0 || bits == 0 {
      return .refused(Status.kind, "the value was not made by the library")
    }
    return .refused(Status.kind, "the class of the object was never registered")
  }
}
