import CRACShims
import Synchronization

/// One entry of the handle table: 32 bytes that never move and are never unmapped, so that a stale
/// handle can be looked up safely at any time.
///
/// ```
/// word    generation (26 bits) | references (16 bits) | pins (17 bits) | flags (5 bits)
/// queue   operations waiting for the gate (see Gate.swift)
/// object  the object a handle stands for, retained while references > 0
/// kind    what the handle may be used as (a byte), and whether the slot belongs to a gate (a byte)
/// ```
/// A free slot keeps its word; the others are the slab's (slabs.c). The maker of the handle writes
/// the other fields before the word publishes them. A thread that tries to end the object's life
/// here reads object and kind by atomics: see Remains.
struct Slot {
  let base: UnsafeMutableRawPointer

  static let stride = 32

  var index: UInt32 {
    let distance = base - slotTable.unsafelyUnwrapped
    return UInt32(truncatingIfNeeded: distance &>> Slot.stride.trailingZeroBitCount)
  }

  var word: UnsafeMutablePointer<Atomic<UInt64>> {
    base.assumingMemoryBound(to: Atomic<UInt64>.self)
  }
  var queue: UnsafeMutablePointer<Atomic<UInt>> {
    (base + 8).assumingMemoryBound(to: Atomic<UInt>.self)
  }
  private var held: UnsafeMutablePointer<Atomic<UnsafeMutableRawPointer?>> {
    (base + 16).assumingMemoryBound(to: Atomic<UnsafeMutableRawPointer?>.self)
  }
  /// The number of the kind: the position of its bit in `HandleKind`.
  var kind: UnsafeMutablePointer<UInt8> { (base + 24).assumingMemoryBound(to: UInt8.self) }
  /// The same for a thread that is about to end the object's life here: see Remains.
  var latestKind: UInt8 {
    (base + 24).assumingMemoryBound(to: Atomic<UInt8>.self).pointee.load(ordering: .relaxed)
  }
  private var gated: UnsafeMutablePointer<Atomic<Bool>> {
    (base + 25).assumingMemoryBound(to: Atomic<Bool>.self)
  }

  /// The object, for a caller that keeps it there: with a reference, with a pin, or from inside the
  /// gate.
  var object: UnsafeMutableRawPointer { held.pointee.load(ordering: .relaxed).unsafelyUnwrapped }

  /// False in a forked child that is to begin anew.
  var isFilled: Bool { held.pointee.load(ordering: .relaxed) != nil }

  func fill(_ object: Unmanaged<Object>, _ number: UInt8, isGate: Bool) {
    held.pointee.store(object.toOpaque(), ordering: .relaxed)
    (base + 24).assumingMemoryBound(to: Atomic<UInt8>.self).pointee
      .store(number, ordering: .relaxed)
    gated.pointee.store(isGate, ordering: .relaxed)
  }

  /// Whether the slot goes with a gate.
  var isGate: Bool { gated.pointee.load(ordering: .relaxed) }

  func clear() { held.pointee.store(nil, ordering: .relaxed) }

  /// The word for a thread that leaves one like that; and the remains that it has to finalize, if
  /// it is the last and the object is to go.
  @inline(__always)
  func left(_ word: UInt64) -> (UInt64, Remains?) {
    // Mostly this look suffices.
    guard _slowPath(word & Word.closing != 0), word & (Word.busy | Word.pins) == 0 else {
      return (word, nil)
    }
    let object = held.pointee.load(ordering: .relaxed)
    let isGate = gated.pointee.load(ordering: .relaxed)
    return (word & ~Word.closing, Remains(slot: self, object: object, isGate: isGate))
  }
}

/// The contents that a slot lets go of. Read before the step that ends the object's life in the
/// slot, by each thread that may be the one to do that step: so the word orders it before all that
/// the slot's next life writes. Afterwards only the object's reference count would, which
/// ThreadSanitizer does not see.
struct Remains {
  let slot: Slot
  /// nil, or any other object's, where the step is going to fail.
  let object: UnsafeMutableRawPointer?
  /// Whether the slot goes with its gate.
  let isGate: Bool
}

/// The bits of a slot's word. docs/Concurrency.md says which thread sets and clears each.
enum Word {
  /// A thread is inside the gate.
  static let busy: UInt64 = 1
  /// Operations may be waiting in the queue.
  static let pending: UInt64 = 2
  /// The last reference went while the gate was held or a call was using the object: the last to
  /// leave drops the object.
  static let closing: UInt64 = 4
  /// No release takes the last reference: the singletons.
  static let immortal: UInt64 = 8
  /// A handle names this slot.
  static let published: UInt64 = 16
  /// The mark of a slot without a gate: nobody gets in.
  static let noGate = pending
  static let flags: UInt64 = 0x1F

  /// A call that is using the object. It keeps the object, but not the handle: that is stale as
  /// soon as the last reference goes, even while calls are under way.
  static let onePin: UInt64 = 1 << 5
  static let pins: UInt64 = ((1 << 17) - 1) << 5
  static let oneReference: UInt64 = 1 << 22
  static let references: UInt64 = ((1 << 16) - 1) << 22
  static let oneGeneration: UInt64 = 1 << 38
  static let generations: UInt64 = ~0 << 38
  static let generationShift: UInt64 = 38

  static func generation(_ word: UInt64) -> UInt64 { word >> 38 }
}

/// The table itself: one range of addresses, so that any index names memory that can be read.
/// Memory that no slot was made in yet, or that was given back to the system since, reads as zeros.
/// `slabs.c` knows which slots are free.
enum Slots {
  /// The bits of a handle that name a slot: 27, or fewer where the process may not have that many
  /// addresses.
  static var indexMask: UInt64 { slotMask }
  /// The bits that no handle has.
  static var strayBits: UInt64 { slotStrayBits }
  private static let mostIndexBits: UInt64 = 27
  private static let leastIndexBits: UInt64 = 19
  static let generationShift: UInt64 = 27

  /// Called once, when the library is loaded.
  static func boot() {
    var bits = mostIndexBits
    while !rac_slots_reserve(Slot.stride &<< Int(bits)) {
      if bits <= leastIndexBits { rac_shim_fatal("no addresses for handles") }
      bits &-= 2
    }
    slotTable = UnsafeMutableRawPointer(rac_slot_range.base)
    slotMask = (1 &<< bits) &- 1
    slotStrayBits = ~((1 &<< 53) &- 1) | (((1 &<< mostIndexBits) &- 1) & ~slotMask)
  }

  /// In a forked child: every handle looks stale, at no cost to the usual path. In place, since a
  /// process whose addresses are limited may not have as many again.
  static func forget() { rac_slots_forget() }

  /// One more than the greatest index of a slot that was ever made.
  static var count: UInt64 { UInt64(truncatingIfNeeded: rac_slots_count()) }

  /// The first slot, of all that ever were, that the body says yes to.
  @inline(never)
  static func first(_ isMeant: (Slot) -> Bool) -> Slot? {
    var index: UInt64 = 1
    let end = count
    while index < end {
      if isMeant(at(index)) { return at(index) }
      index &+= 1
    }
    return nil
  }

  /// The slot that a number without stray bits names.
  static func named(_ number: UInt64) -> Slot {
    // The generation is cut off: with the stride an index has 32 bits.
    let offset = UInt32(truncatingIfNeeded: number) &<< UInt32(Slot.stride.trailingZeroBitCount)
    return Slot(base: slotTable.unsafelyUnwrapped + Int(offset))
  }

  /// The slot with that index, which is within the mask.
  static func at(_ index: UInt64) -> Slot {
    Slot(base: slotTable.unsafelyUnwrapped + Int(truncatingIfNeeded: index) &* Slot.stride)
  }

  /// A free slot. Its generation is one no handle had; its flags are clear.
  static func allocate() -> Slot {
    let slot: Slot
    if let base = rac_slot_take() { slot = Slot(base: base) } else { slot = allocateSpare() }
    slot.queue.pointee.store(0, ordering: .relaxed)
    return slot
  }

  /// Gives a slot back. One whose generation would wrap is retired instead: an old handle must
  /// never come alive again.
  @inline(never)
  static func free(_ slot: Slot) {
    // Orders all accesses to the slot, on every thread, before this point.
    let word = slot.word.pointee.load(ordering: .acquiring)
    slot.clear()
    // In a forked child one of the parent's reads as zeros, and is nobody's.
    if Word.generation(word) &- 1 >= (1 << 26) &- 3 { return }
    slot.word.pointee.store(word & Word.generations, ordering: .relaxed)
    rac_slot_give(slot.base)
  }

  /// The system has no memory for another slot.
  @inline(never)
  private static func allocateSpare() -> Slot {
    guard let base = rac_shim_reserve_slot() else {
      // Two calls: a text that is no literal brings in what Swift has for strings.
      if count > indexMask { rac_shim_fatal("too many objects are alive") }
      rac_shim_fatal("out of memory")
    }
    return Slot(base: base)
  }
}

@exclusivity(unchecked) nonisolated(unsafe) private var slotTable: UnsafeMutableRawPointer? = nil
@exclusivity(unchecked) nonisolated(unsafe) private var slotMask: UInt64 = 0
@exclusivity(unchecked) nonisolated(unsafe) private var slotStrayBits: UInt64 = 0
