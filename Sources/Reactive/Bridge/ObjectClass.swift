import CRAC

/// How the engine handles instances of Swift classes, boxes among them.
@usableFromInline
enum ObjectClass {
  /// By which values name it. The class is made once, never changed, never freed.
  @usableFromInline static let number: UInt32 = {
    let made = UnsafeMutablePointer<rac_object_class>.allocate(capacity: 1)
    made.initialize(
      to: rac_object_class(
        size: MemoryLayout<rac_object_class>.size,
        retain: { _ = Unmanaged<AnyObject>.fromOpaque($0!).retain() },
        release: { Unmanaged<AnyObject>.fromOpaque($0!).release() },
        equal: { ObjectClass.areEqual(ObjectClass.object($0), ObjectClass.object($1)) },
        hash: { ObjectClass.hash(ObjectClass.object($0)) },
        describe: { ObjectClass.describe(ObjectClass.object($0), $1, $2) },
        equal_to: nil))
    return rac_object_class_register(made)
  }()

  private static func object(_ pointer: UnsafeMutableRawPointer?) -> AnyObject {
    Unmanaged<AnyObject>.fromOpaque(pointer.unsafelyUnwrapped).takeUnretainedValue()
  }

  private static func content(_ object: AnyObject) -> Any {
    (object as? AnyValueBox)?.anyValue ?? object
  }

  private static func areEqual(_ a: AnyObject, _ b: AnyObject) -> Bool {
    if a === b { return true }
    if let a = a as? AnyValueBox, let b = b as? AnyValueBox, let answer = a.isEqual(to: b) {
      return answer
    }
    guard let a = content(a) as? any Equatable else { return false }
    return isEqual(a, to: content(b))
  }

  private static func isEqual<T: Equatable>(_ a: T, to b: Any) -> Bool {
    (b as? T).map { a == $0 } ?? false
  }

  /// Of what is equal and has no hash of its own the hash is the same.
  private static func hash(_ object: AnyObject) -> UInt64 {
    let content = content(object)
    if let content = content as? any Hashable {
      return UInt64(bitPattern: Int64(content.hashValue))
    }
    if content is any Equatable { return 0 }
    return UInt64(UInt(bitPattern: ObjectIdentifier(object)))
  }

  private static func describe(
    _ object: AnyObject, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
  )
    -> Int
  {
    let text = String(describing: content(object)).utf8
    guard let buffer, capacity > 0 else { return text.count }
    var count = 0
    for byte in text.prefix(capacity - 1) {
      buffer[count] = CChar(bitPattern: byte)
      count += 1
    }
    buffer[count] = 0
    return text.count
  }
}
