import CRACShims
import Synchronization

/// Where a property's value can be read by way of its handle without any write: no reference, no
/// pin.
///
/// Each slot of the handle table that ever was a property's has its cell, for good, so a cell may
/// be read at any time. It says whose value it holds, by the number of the handle. A reader copies
/// the value and then makes sure that the handle in the cell is still its own, and the slot still
/// of that generation: then the property was alive and had that value.
///
/// ```
/// 0       version; its lowest bit says which place holds
/// 8, 24   the two places: a value's first and second word
/// 40      the number of the property's handle; 0: none
/// 48      the holder of a counted value: see SeqlockValue
/// ```
struct PropertyCell {
  private let base: UnsafeMutableRawPointer

  private static let size = 64
  /// Cells come in leaves, for so many slots each.
  private static let leafBits: UInt64 = 12

  /// The cell of the slot, made if need be. Where there is no memory for its leaf, one of the
  /// property's own, which readers do not find, so that they ask the property: see `freeIfOwn`.
  init(of index: UInt32) {
    let leaf = PropertyCell.entry(UInt64(index))
    var address = leaf.pointee.load(ordering: .acquiring)
    if address == 0 {
      guard
        let fresh = rac_shim_allocate_zeroed(PropertyCell.size &<< Int(PropertyCell.leafBits))
      else {
        self.init(leaf: PropertyCell.makeOwn(), 0)
        return
      }
      let (done, now) = leaf.pointee.compareExchange(
        expected: 0, desired: UInt(bitPattern: fresh), ordering: .acquiringAndReleasing)
      if !done { rac_shim_free(fresh) }
      address = done ? UInt(bitPattern: fresh) : now
    }
    self.init(leaf: address, UInt64(index))
  }

  private static func makeOwn() -> UInt {
    let cell = rac_shim_allocate(size).unsafelyUnwrapped
    cell.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    return UInt(bitPattern: cell)
  }

  /// When the property goes; `index` is its slot.
  func freeIfOwn(_ index: UInt32) {
    if PropertyCell(near: UInt64(index))?.base != base { rac_shim_free(base) }
  }

  /// Of a property to be.
  static var none: PropertyCell { PropertyCell(leaf: UInt(bitPattern: theLeaves), 0) }

  /// nil: no slot near that one was ever a property's.
  @inline(__always)
  init?(near index: UInt64) {
    let address = PropertyCell.entry(index).pointee.load(ordering: .acquiring)
    guard address != 0 else { return nil }
    self.init(leaf: address, index)
  }

  @inline(__always)
  private init(leaf: UInt, _ index: UInt64) {
    let place = Int(truncatingIfNeeded: index & ((1 &<< PropertyCell.leafBits) &- 1))
    base =
      UnsafeMutableRawPointer(bitPattern: leaf).unsafelyUnwrapped + place &* PropertyCell.size
  }

  @inline(__always)
  private static func entry(_ index: UInt64) -> UnsafeMutablePointer<Atomic<UInt>> {
    theLeaves.unsafelyUnwrapped + Int(truncatingIfNeeded: index &>> leafBits)
  }

  /// Called once, when the library is loaded, after the slots were made.
  static func boot() {
    let count = Int(truncatingIfNeeded: (Slots.indexMask &>> leafBits) &+ 1)
    theLeaves = rac_shim_allocate_zeroed(count &* 8)?.assumingMemoryBound(to: Atomic<UInt>.self)
    if theLeaves == nil { rac_shim_fatal("out of memory") }
  }

  var version: UnsafeMutablePointer<Atomic<UInt64>> { word(0) }
  var handle: UnsafeMutablePointer<Atomic<UInt64>> { word(40) }
  var holder: UnsafeMutablePointer<Atomic<UInt64>> { word(48) }

  @inline(__always)
  private func word(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    (base + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// The value of that version; nil: there is a later one.
  @inline(__always)
  func copy(_ version: UInt64) -> Value? {
    let place = 8 &+ Int(truncatingIfNeeded: version & 1) &* 16
    // Acquiring: nothing below may be read before these. A part of a later version that they read
    // was written by releasing stores, after the version that ends this one.
    let header = word(place).pointee.load(ordering: .acquiring)
    let bits = word(place &+ 8).pointee.load(ordering: .acquiring)
    guard self.version.pointee.load(ordering: .relaxed) == version else { return nil }
    return WholeValue(header, bits).value
  }

  /// Makes the value the next version. By one thread at a time.
  @inline(__always)
  func publish(_ value: Value) {
    let next = version.pointee.load(ordering: .relaxed) &+ 1
    let place = 8 &+ Int(truncatingIfNeeded: next & 1) &* 16
    let whole = WholeValue(value)
    word(place).pointee.store(whole.header, ordering: .releasing)
    word(place &+ 8).pointee.store(whole.bits, ordering: .releasing)
    version.pointee.store(next, ordering: .releasing)
  }

  /// The value of the property that the handle names, owned by the caller; nil: look closer. The
  /// handle may be stale, or the property an adapter, which has no handle here.
  @inline(__always)
  static func read(_ number: UInt64) -> Value? {
    guard let cell = PropertyCell(near: number & Slots.indexMask) else { return nil }
    let value = SeqlockValue(cell).read()
    let word = Slots.at(number & Slots.indexMask).word
    if cell.handle.pointee.load(ordering: .acquiring) == number,
      (word.pointee.load(ordering: .relaxed) ^ mark(number)) & (Word.generations | Word.published)
        == 0
    {
      return value
    }
    value.release()
    return nil
  }

  /// The slot's word shows this while the handle is good.
  @inline(__always)
  private static func mark(_ number: UInt64) -> UInt64 {
    number &<< (38 &- Slots.generationShift) & Word.generations | Word.published
  }
}

/// A value as two words: it is stored in two steps, and not in one for each field. The next step
/// has less to wait for: an atomic one waits for all stores before it, a read of a whole word for
/// all stores of its parts.
struct WholeValue {
  fileprivate let header: UInt64
  fileprivate let bits: UInt64

  @inline(__always)
  init(_ value: Value) {
    header = UInt64(value.kind) | UInt64(value.flags) << 8 | UInt64(value.length) << 32
    bits = UInt64(bitPattern: value.bits)
  }

  @inline(__always)
  fileprivate init(_ header: UInt64, _ bits: UInt64) {
    self.header = header
    self.bits = bits
  }

  var value: Value {
    @inline(__always) get {
      Value(
        kind: UInt8(truncatingIfNeeded: header), flags: UInt8(truncatingIfNeeded: header >> 8),
        reserved: 0, length: UInt32(truncatingIfNeeded: header >> 32),
        bits: Int64(bitPattern: bits))
    }
  }
}

extension Value {
  /// Stands in a cell for a value that is counted.
  static var countedElsewhere: Value {
    @inline(__always) get { Value(0xFF, bits: 0) }
  }

  var isCountedElsewhere: Bool {
    @inline(__always) get { kind == 0xFF }
  }
}

@exclusivity(unchecked) nonisolated(unsafe) private var theLeaves:
  UnsafeMutablePointer<Atomic<UInt>>? = nil
