import CRAC
import CReactive
import Synchronization

/// Carries a value through the engine that is neither a number nor an instance of a class: memory
/// with a count of references, what knows the value's type, and the value.
///
/// An instance of a class would be allocated and freed by malloc() with each send, which is dearer
/// than the send. Most boxes are over when the send is, and the thread uses their memory again.
@usableFromInline
struct ValueBox {
  @usableFromInline let memory: UnsafeMutableRawPointer

  @inlinable @inline(__always)
  init(memory: UnsafeMutableRawPointer) { self.memory = memory }

  /// One reference, to be given back by `release`.
  @inlinable @inline(__always)
  init<T>(_ value: T) {
    memory =
      Contents<T>.fitsBlock
      ? ThreadStore.takeBlock() : ValueBox.allocate(Contents<T>.end, MemoryLayout<T>.alignment)
    references.initialize(to: Atomic(1))
    contents.initialize(to: Contents<T>.self)
    Contents<T>.of(self).initialize(to: value)
  }

  @inlinable
  var references: UnsafeMutablePointer<Atomic<Int>> {
    @inline(__always) get { memory.assumingMemoryBound(to: Atomic<Int>.self) }
  }

  @inlinable
  var contents: UnsafeMutablePointer<any BoxContents.Type> {
    @inline(__always) get {
      (memory + 8).assumingMemoryBound(to: (any BoxContents.Type).self)
    }
  }

  /// The value, if it is of the type.
  @inlinable @inline(__always)
  func value<T>(as type: T.Type) -> T? {
    contents.pointee == Contents<T>.self ? Contents<T>.of(self).pointee : nil
  }

  @usableFromInline
  static func allocate(_ size: Int, _ alignment: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: size, alignment: max(alignment, 16))
  }

  func retain() { references.pointee.add(1, ordering: .relaxed) }

  @usableFromInline @inline(never)
  func release() {
    let left = references.pointee.subtract(1, ordering: .acquiringAndReleasing).newValue
    if left == 0 { contents.pointee.destroy(self) }
  }

  /// Gives a reference back where the type is known.
  @inlinable @inline(__always)
  func release<T>(_ type: T.Type) {
    // Alone: nobody else can retain it any more.
    if references.pointee.load(ordering: .acquiring) == 1 {
      Contents<T>.destroy(self)
    } else {
      release()
    }
  }
}

/// The engine's questions — equal? hash? text? — and the end of a box, by the type of its value.
@usableFromInline
protocol BoxContents {
  static func anyValue(_ box: ValueBox) -> Any
  static func areEqual(_ a: ValueBox, _ b: ValueBox) -> Bool
  static func destroy(_ box: ValueBox)
}

@usableFromInline
enum Contents<T>: BoxContents {
  /// Behind the count and the type.
  @inlinable static var offset: Int {
    @inline(__always) get { (24 + MemoryLayout<T>.alignment - 1) & -MemoryLayout<T>.alignment }
  }

  @inlinable static var end: Int { @inline(__always) get { offset + MemoryLayout<T>.size } }

  @inlinable static var fitsBlock: Bool {
    @inline(__always) get {
      MemoryLayout<T>.alignment <= 16 && end <= ThreadStore.blockSize
    }
  }

  @inlinable @inline(__always)
  static func of(_ box: ValueBox) -> UnsafeMutablePointer<T> {
    (box.memory + offset).assumingMemoryBound(to: T.self)
  }

  @inlinable @inline(__always)
  static func destroy(_ box: ValueBox) {
    of(box).deinitialize(count: 1)
    if fitsBlock { ThreadStore.giveBlock(box.memory) } else { box.memory.deallocate() }
  }

  @usableFromInline
  static func anyValue(_ box: ValueBox) -> Any { of(box).pointee }

  /// Without the casts that a value in an `Any` takes, which cost several times as much as `==`.
  @usableFromInline
  static func areEqual(_ a: ValueBox, _ b: ValueBox) -> Bool {
    if T.self == String.self {
      return Contents<String>.of(a).pointee == Contents<String>.of(b).pointee
    }
    guard let value = of(a).pointee as? any Equatable else { return false }
    return equals(value, of(b).pointee)
  }
}

extension ValueBox {
  /// How the engine handles boxes: the number by which values name their class.
  @inlinable static var classNumber: UInt32 {
    @inline(__always) get {
      let number = reactive_box_class()
      return _fastPath(number != 0) ? number : registerClass()
    }
  }

  @usableFromInline @inline(never)
  static func registerClass() -> UInt32 { registeredClass }

  private static let registeredClass: UInt32 = {
    let number = register(
      rac_object_class(
        size: MemoryLayout<rac_object_class>.size,
        retain: { ValueBox($0).retain() },
        release: { ValueBox($0).release() },
        equal: { ValueBox($0).isEqual(to: ValueBox($1)) },
        hash: { hash(ValueBox($0).anyValue) ?? UInt64(UInt(bitPattern: $0)) },
        describe: { describe(ValueBox($0).anyValue, $1, $2) },
        equal_to: nil))
    reactive_set_box_class(number)
    return number
  }()

  private init(_ object: UnsafeMutableRawPointer?) { memory = object.unsafelyUnwrapped }

  private var anyValue: Any { contents.pointee.anyValue(self) }

  private func isEqual(to other: ValueBox) -> Bool {
    if memory == other.memory { return true }
    return contents.pointee == other.contents.pointee
      ? contents.pointee.areEqual(self, other)
      : Reactive.isEqual(anyValue, to: other.anyValue)
  }
}
