import CRAC
import CReactive

/// How the engine handles instances of Swift classes.
@usableFromInline
enum ObjectClass {
  /// By which values name it.
  @inlinable static var number: UInt32 {
    @inline(__always) get {
      let number = reactive_object_class()
      return _fastPath(number != 0) ? number : register()
    }
  }

  @usableFromInline @inline(never)
  static func register() -> UInt32 { registered }

  private static let registered: UInt32 = {
    let number = Reactive.register(
      rac_object_class(
        size: MemoryLayout<rac_object_class>.size,
        retain: { _ = Unmanaged<AnyObject>.fromOpaque($0!).retain() },
        release: { Unmanaged<AnyObject>.fromOpaque($0!).release() },
        equal: { $0 == $1 || isEqual(ObjectClass.object($0), to: ObjectClass.object($1)) },
        hash: { hash(ObjectClass.object($0)) ?? UInt64(UInt(bitPattern: $0)) },
        describe: { describe(ObjectClass.object($0), $1, $2) },
        equal_to: nil))
    reactive_set_object_class(number)
    return number
  }()

  private static func object(_ pointer: UnsafeMutableRawPointer?) -> AnyObject {
    Unmanaged<AnyObject>.fromOpaque(pointer.unsafelyUnwrapped).takeUnretainedValue()
  }
}

/// The number of a class, which is made once, never changed, never freed.
func register(_ objectClass: rac_object_class) -> UInt32 {
  let made = UnsafeMutablePointer<rac_object_class>.allocate(capacity: 1)
  made.initialize(to: objectClass)
  return rac_object_class_register(made)
}

/// By the first one's type; false: that has no `==`, or the other is of another type.
func isEqual(_ a: Any, to b: Any) -> Bool {
  (a as? any Equatable).map { equals($0, b) } ?? false
}

/// The second is mostly of the first's type, unless that is behind another one.
func equals<T: Equatable, Other>(_ a: T, _ b: Other) -> Bool {
  if T.self == Other.self { return a == unsafeBitCast(b, to: T.self) }
  return (b as? T).map { a == $0 } ?? false
}

/// nil: values of the type are equal when they are the same instance. Of values that are equal and
/// have no hash of their own the hash is the same.
func hash(_ content: Any) -> UInt64? {
  if let content = content as? any Hashable {
    return UInt64(bitPattern: Int64(content.hashValue))
  }
  return content is any Equatable ? 0 : nil
}

func describe(_ content: Any, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int) -> Int {
  let text = String(describing: content).utf8
  guard let buffer, capacity > 0 else { return text.count }
  var count = 0
  for byte in text.prefix(capacity - 1) {
    buffer[count] = CChar(bitPattern: byte)
    count += 1
  }
  buffer[count] = 0
  return text.count
}
