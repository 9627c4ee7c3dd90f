import CRACShims

/// A walk over what some handles keep alive and nobody else does, for a garbage collector: what would be let go
/// of if they were released now.
///
/// It counts, as a collector does. Each reference that is found in something that goes is one that goes; and
/// when all references to an object have been found, the object goes, and what it holds is looked at. So nothing
/// is taken for the handles' own that somebody else has, even if nobody knows who. What is not known to be
/// held by what goes, because its holder is of a kind that nobody looks into, is left out.
///
/// Takes no memory but what it is given, and no references, which would be counted.
struct Visitor {
  private let function: rac_visit_fn
  private let context: UnsafeMutableRawPointer?
  /// Addresses of objects that go, and have yet to be looked into.
  private let pending: UnsafeMutablePointer<UInt>
  private var waiting = 0
  /// Pairs: the address of something that has, or had, references from elsewhere, and how many were found.
  private let shared: UnsafeMutablePointer<UInt>
  private var known = 0

  private static var pendingRoom: Int { 256 }
  private static var sharedRoom: Int { (Int(RAC_SHIM_VISIT_WORDS) &- 64 &- pendingRoom) / 2 }
  /// In a count: it has been looked into.
  private static var done: UInt { 1 << 63 }
  /// In an address: it is a value's box.
  private static var box: UInt { 1 }

  init(
    _ function: @escaping rac_visit_fn, _ context: UnsafeMutableRawPointer?,
    memory: UnsafeMutablePointer<UInt>
  ) {
    self.function = function
    self.context = context
    pending = memory
    shared = memory + Visitor.pendingRoom
  }

  // MARK: What is found

  /// A reference to a context of the program's.
  func held(_ pointer: UnsafeMutableRawPointer?, _ destroy: rac_destroy_fn?) {
    if let destroy { function(context, pointer, destroy) }
  }

  /// One reference to an object.
  @inline(never)
  mutating func reference(_ object: UnsafeMutableRawPointer?) {
    guard let object else { return }
    let address = UInt(bitPattern: object)
    if rac_shim_references(object) == 1 { push(address) } else { count(address) }
  }

  /// A value that goes.
  @inline(never)
  mutating func value(_ value: Value, depth: Int = 16) {
    guard value.isCounted, let address = value.address, depth > 0 else { return }
    if value.isBare { return held(address, value.objectClass?.pointee.release) }
    if value.isObject {
      if value.length == Process.number { reference(address) }
      return
    }
    // Of one that several have nobody looks at more than the pointer.
    guard value.kind != Value.Kind.unit, Box(address).isUnique else {
      if value.kind == Value.Kind.object { count(UInt(bitPattern: address) | Visitor.box) }
      return
    }
    switch value.kind {
    case Value.Kind.object: held(value.foreignPointer, value.objectClass?.pointee.release)
    case Value.Kind.tuple: for element in value.elements { self.value(element, depth: depth &- 1) }
    case Value.Kind.error:
      if let underlying = value.asError?.underlying.pointee {
        self.value(underlying, depth: depth &- 1)
      }
    case Value.Kind.event: self.value(value.eventPayload, depth: depth &- 1)
    default: break
    }
  }

  @inline(never)
  private mutating func push(_ address: UInt) {
    if waiting == Visitor.pendingRoom { return }
    pending[waiting] = address
    waiting &+= 1
  }

  private mutating func count(_ address: UInt) {
    var place = 0
    while place < known {
      if shared[2 &* place] == address {
        shared[2 &* place &+ 1] &+= 1
        return
      }
      place &+= 1
    }
    if known == Visitor.sharedRoom { return }
    shared[2 &* known] = address
    shared[2 &* known &+ 1] = 1
    known &+= 1
  }

  // MARK: What is to be looked into

  var isCrowded: Bool { waiting > Visitor.pendingRoom / 2 }

  /// An object that goes; nil: there is none any more.
  @inline(never)
  mutating func next() -> Unmanaged<Object>? {
    if waiting == 0 { findExplained() }
    if waiting == 0 { return nil }
    waiting &-= 1
    return UnsafeRawPointer(bitPattern: pending[waiting]).map { Unmanaged.fromOpaque($0) }
  }

  /// Those whose references have all been found by now.
  private mutating func findExplained() {
    var place = 0
    while place < known {
      let address = shared[2 &* place]
      if let pointer = UnsafeMutableRawPointer(bitPattern: address & ~Visitor.box),
        shared[2 &* place &+ 1] == Visitor.references(pointer, address)
      {
        shared[2 &* place &+ 1] |= Visitor.done
        if address & Visitor.box == 0 {
          push(address)
        } else {
          let box = Box(pointer)
          let number = UInt32(truncatingIfNeeded: box.word(1).pointee)
          held(box.pointer(2), Value.objectClass(number)?.pointee.release)
        }
      }
      place &+= 1
    }
  }

  private static func references(_ pointer: UnsafeMutableRawPointer, _ address: UInt) -> UInt {
    address & box == 0 ? rac_shim_references(pointer) : UInt(Box(pointer).count)
  }
}

extension Context {
  func visit(_ visitor: inout Visitor) { visitor.held(pointer, destroy) }
}
