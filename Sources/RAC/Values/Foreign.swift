import CRACShims

/// Pointers and objects of the user's.
extension Value {
  static func object(_ pointer: UnsafeMutableRawPointer?, _ type: UnsafePointer<rac_object_class>)
    -> Value
  {
    guard let box = Box.make(payload: 0) else { return .null }
    box.word(1).pointee = Int(bitPattern: type)
    box.word(2).pointee = Int(bitPattern: pointer)
    type.pointee.retain?(pointer)
    return Value(Kind.object, flags: Flag.counted, pointer: box.base)
  }

  static func ownedPointer(
    _ pointer: UnsafeMutableRawPointer?, type: UInt32, _ destroy: rac_destroy_fn?
  ) -> Value {
    guard let box = Box.make(payload: 0) else { return .null }
    box.word(2).pointee = Int(bitPattern: pointer)
    box.setOwner(nil, destroy)
    return Value(Kind.pointer, flags: Flag.counted, length: type, pointer: box.base)
  }

  /// The user's pointer in a pointer or an object.
  var foreignPointer: UnsafeMutableRawPointer? {
    isCounted ? Box(address.unsafelyUnwrapped).pointer(2) : address
  }

  var objectClass: UnsafePointer<rac_object_class>? {
    UnsafePointer(
      Box(address.unsafelyUnwrapped).pointer(1)?.assumingMemoryBound(to: rac_object_class.self))
  }
}

/// The names of pointer types: a pointer value carries a small number in place of the name.
final class PointerTypes {
  private let lock = Lock()
  private var names: [UnsafePointer<CChar>] = []

  /// The number of a type of the library's own.
  func number(of name: StaticString) -> UInt32 {
    number(UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self))
  }

  /// 0 for no name. The same text gets the same number; the first copy of it must stay valid.
  func number(_ name: UnsafePointer<CChar>?) -> UInt32 {
    guard let name else { return 0 }
    lock.lock()
    defer { lock.unlock() }
    let length = rac_shim_length(name)
    var index = 0
    while index < names.count {
      if rac_shim_length(names[index]) == length,
        rac_shim_compare(names[index], name, length) == 0
      {
        return UInt32(truncatingIfNeeded: index &+ 1)
      }
      index &+= 1
    }
    names.append(name)
    return UInt32(truncatingIfNeeded: names.count)
  }
}
