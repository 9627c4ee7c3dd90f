import CRACShims
import Synchronization

/// The counted block behind strings, bytes, owned pointers, objects, tuples, errors and events.
///
/// ```
/// 0   references, and above 48 bits from which process the block is: see `isParents`
/// 8   kind-specific word: count of a tuple, code of an error, type of an event, class of an object
/// 16  first payload word: where the bytes are, the pointer, …
/// 24  second payload word: the owner's context
/// 32  third payload word: the owner's destroy
/// 40  inline payload
/// ```
struct Box {
  let base: UnsafeMutableRawPointer

  static let header = 40

  init(_ base: UnsafeMutableRawPointer) { self.base = base }

  /// A block with one reference, or nil when there is no memory for it.
  static func make(payload: Int) -> Box? {
    guard payload < Int.max &- header, let base = rac_shim_allocate_checked(header &+ payload)
    else { return nil }
    let box = Box(base)
    box.references.initialize(to: Atomic<Int64>(rac_shim_first_reference))
    box.word(1).pointee = 0
    box.word(2).pointee = 0
    box.word(3).pointee = 0
    box.word(4).pointee = 0
    rac_shim_count(1)
    return box
  }

  private var references: UnsafeMutablePointer<Atomic<Int64>> {
    base.assumingMemoryBound(to: Atomic<Int64>.self)
  }
  /// The references' part of their word.
  private static var countMask: Int64 { 1 << 48 &- 1 }
  func word(_ index: Int) -> UnsafeMutablePointer<Int> {
    (base + index &* 8).assumingMemoryBound(to: Int.self)
  }
  func pointer(_ index: Int) -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: word(index).pointee)
  }
  var payload: UnsafeMutableRawPointer { base + Box.header }

  func retain() { references.pointee.wrappingAdd(1, ordering: .relaxed) }

  /// Whether the caller has the only reference, so that it may change the block.
  var isUnique: Bool { count == 1 }

  /// How many references there are.
  var count: Int64 { references.pointee.load(ordering: .acquiring) & Box.countMask }

  /// True for the one who must free the block.
  private func dropsLast() -> Bool {
    // Nobody else can take one meanwhile, as nobody else has one: a load and a store will do.
    let now = references.pointee.load(ordering: .acquiring)
    if now & Box.countMask == 1 {
      references.pointee.store(now &- 1, ordering: .relaxed)
      return true
    }
    let left = references.pointee.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue
    return left & Box.countMask == 0
  }

  /// True in a forked child for a block of the parent's: only the parent ends the thing that it
  /// stands for.
  private var isParents: Bool {
    (Int64(word(0).pointee) ^ rac_shim_first_reference) & ~Box.countMask != 0
  }

  /// Releases a boxed text. One of this process's that nobody else has, and with no owner, is gone
  /// at once.
  @inline(never)
  static func releaseText(_ value: Value) {
    let box = Box(value.address.unsafelyUnwrapped)
    guard box.references.pointee.load(ordering: .acquiring) == rac_shim_first_reference,
      box.word(4).pointee == 0
    else {
      return release(value)
    }
    box.free()
  }

  private func free() {
    rac_shim_free(base)
    rac_shim_count(-1)
  }

  /// Releases a boxed value. Values inside values are freed in a loop, so depth costs no stack.
  @inline(never)
  static func release(_ value: Value) {
    var box = Box(value.address.unsafelyUnwrapped)
    guard box.dropsLast() else { return }
    var kind = value.kind
    // Blocks to free are chained through their reference word, of which nobody reads the count any
    // more.
    var chain: UnsafeMutableRawPointer? = nil
    while true {
      let children = box.finish(kind)
      for child in children where child.isCounted {
        if child.isObject {
          child.releaseObject()
        } else if child.isBare {
          child.releaseBare()
        } else {
          let inner = Box(child.address.unsafelyUnwrapped)
          guard inner.dropsLast() else { continue }
          inner.word(0).pointee |= Int(bitPattern: chain)
          // The kind rides in the low bits of a word that `finish` reads only for its own kind.
          chain = inner.tagged(child.kind)
        }
      }
      box.free()
      guard let next = chain else { return }
      (box, kind) = Box.untag(next)
      chain = UnsafeMutableRawPointer(bitPattern: box.word(0).pointee & Int(Box.countMask))
      box.word(0).pointee &= ~Int(Box.countMask)
    }
  }

  /// malloc's blocks are 16-byte aligned: four bits for the kind.
  private func tagged(_ kind: UInt8) -> UnsafeMutableRawPointer { base + Int(kind) }

  private static func untag(_ address: UnsafeMutableRawPointer) -> (Box, UInt8) {
    let bits = UInt(bitPattern: address)
    let base = UnsafeMutableRawPointer(bitPattern: bits & ~15).unsafelyUnwrapped
    return (Box(base), UInt8(truncatingIfNeeded: bits & 15))
  }

  /// Runs what the owner asked for and names the values inside, which the caller releases.
  private func finish(_ kind: UInt8) -> UnsafeBufferPointer<Value> {
    switch kind {
    case Value.Kind.string, Value.Kind.bytes:
      if let ownerDestroy, !isParents { currentThread().asOwn { ownerDestroy(pointer(3)) } }
    case Value.Kind.pointer:
      if let ownerDestroy, !isParents { currentThread().asOwn { ownerDestroy(pointer(2)) } }
    case Value.Kind.object:
      if isParents { break }
      Value.objectClass(UInt32(truncatingIfNeeded: word(1).pointee))?.pointee.release?(pointer(2))
    case Value.Kind.tuple:
      return elements
    case Value.Kind.event:
      return UnsafeBufferPointer(start: payload.assumingMemoryBound(to: Value.self), count: 1)
    case Value.Kind.error:
      return UnsafeBufferPointer(start: ErrorBox(self).underlying, count: 1)
    default:
      break
    }
    return UnsafeBufferPointer(start: nil, count: 0)
  }

  var ownerDestroy: rac_destroy_fn? {
    pointer(4).map { unsafeBitCast($0, to: rac_destroy_fn.self) }
  }

  func setOwner(_ context: UnsafeMutableRawPointer?, _ destroy: rac_destroy_fn?) {
    word(3).pointee = Int(bitPattern: context)
    word(4).pointee = destroy.map { unsafeBitCast($0, to: Int.self) } ?? 0
  }

  /// The values of a tuple.
  var elements: UnsafeBufferPointer<Value> {
    UnsafeBufferPointer(start: payload.assumingMemoryBound(to: Value.self), count: word(1).pointee)
  }
}
