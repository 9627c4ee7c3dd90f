import CRACShims
import Synchronization

/// One entry of the handle table: 32 bytes that never move and are never unmapped, so that a stale
/// handle can be looked up safely at any time.
///
/// ```
/// word    generation (26 bits) | references (16 bits) | pins (13 bits) | flags (9 bits)
/// queue   operations waiting for the gate (see Gate.swift)
/// object  the object a handle stands for, retained while references > 0
/// kind    what the handle may be used as (a byte), and whether the slot belongs to a gate (a byte)
/// owner   the index of the thread that the gate is biased to (two bytes; see Bias.swift)
/// next    the next free slot while free, this slot's own index while in use
/// ```
/// The word and the owner are reached by atomics alone; the other fields belong to whoever made the handle until
/// the word publishes them. They are read through separate pointers so that the two never alias.
struct Slot {
  let base: UnsafeMutableRawPointer

  static let stride = 32

  @inline(__always)
  var word: UnsafeMutablePointer<Atomic<UInt64>> {
    base.assumingMemoryBound(to: Atomic<UInt64>.self)
  }
  @inline(__always)
  var queue: UnsafeMutablePointer<Atomic<UInt>> {
    (base + 8).assumingMemoryBound(to: Atomic<UInt>.self)
  }
  @inline(__always)
  var object: UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    (base + 16).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
  /// The number of the kind: the position of its bit in `Kind`.
  @inline(__always)
  var kind: UnsafeMutablePointer<UInt8> { (base + 24).assumingMemoryBound(to: UInt8.self) }
  @inline(__always)
  var isGate: UnsafeMutablePointer<Bool> { (base + 25).assumingMemoryBound(to: Bool.self) }
  @inline(__always)
  var owner: UnsafeMutablePointer<Atomic<UInt16>> {
    (base + 26).assumingMemoryBound(to: Atomic<UInt16>.self)
  }
  @inline(__always)
  var next: UnsafeMutablePointer<UInt32> { (base + 28).assumingMemoryBound(to: UInt32.self) }
}

/// The bits of a slot's word.
enum Word {
  /// Somebody is inside the gate.
  static let busy: UInt64 = 1
  /// Operations may be waiting in the queue.
  static let pending: UInt64 = 2
  /// The last reference went while the gate was held or a call was using the object: who leaves last
  /// drops the object.
  static let closing: UInt64 = 4
  /// No release takes the last reference: the singletons.
  static let immortal: UInt64 = 8
  /// The gate belongs to one thread, which enters and leaves without an atomic operation: Bias.swift.
  static let biased: UInt64 = 16
  /// Somebody is finding out whether that thread is inside, to end the bias.
  static let revoking: UInt64 = 32
  /// It was, and now holds the gate as everybody does, `busy`, without having set that itself.
  static let ownerHeld: UInt64 = 64
  /// Never to be biased, or never again.
  static let shared: UInt64 = 128
  /// A handle names this slot.
  static let published: UInt64 = 256
  /// What the word of a slot without a gate shows: nobody gets in.
  static let noGate = pending
  static let flags: UInt64 = 0x1FF
  /// All but whether there is a handle.
  static let state = flags & ~published

  /// A call that is using the object. It keeps the object, but not the handle: that is stale as soon as
  /// the last reference goes, however many calls are under way.
  static let onePin: UInt64 = 1 << 9
  static let pins: UInt64 = ((1 << 13) - 1) << 9
  static let oneReference: UInt64 = 1 << 22
  static let references: UInt64 = ((1 << 16) - 1) << 22
  static let oneGeneration: UInt64 = 1 << 38

  static let generations: UInt64 = ~0 << 38

  @inline(__always)
  static func generation(_ word: UInt64) -> UInt64 { word >> 38 }
}

/// The table itself: one range of addresses, so that any index names memory that can be read. What no
/// slot was made in yet reads as zeros. Free slots are cached by thread.
enum Slots {
  /// The bits of a handle that name a slot: 27, or fewer where the process may not have that many
  /// addresses.
  static var indexMask: UInt64 {
    @inline(__always) get { slotMask }
  }
  /// The bits that no handle has.
  static var strayBits: UInt64 {
    @inline(__always) get { slotStrayBits }
  }
  private static let mostIndexBits: UInt64 = 27
  private static let leastIndexBits: UInt64 = 19
  static let generationShift: UInt64 = 27

  /// How many slots' memory is asked for at a time.
  private static let slotsPerStep: UInt64 = 1 << 12

  /// A thread keeps at most this many free slots and moves half of them at a time.
  private static let cacheLimit: UInt32 = 128

  /// Called once, when the library is loaded.
  static func boot() {
    // Made before the engine, whose objects need slots.
    let lock = UnsafeMutablePointer<Lock>.allocate(capacity: 1)
    lock.initialize(to: Lock())
    theSlotLock = lock
    var bits = mostIndexBits
    slotTable = rac_shim_reserve(Slot.stride &<< Int(bits))
    while slotTable == nil && bits > leastIndexBits {
      bits &-= 2
      slotTable = rac_shim_reserve(Slot.stride &<< Int(bits))
    }
    if slotTable == nil { rac_shim_fatal("no addresses for handles") }
    slotMask = (1 &<< bits) &- 1
    slotStrayBits = ~((1 &<< 53) &- 1) | (((1 &<< mostIndexBits) &- 1) & ~slotMask)
    slotCount = 0
    freeSlots = 0
  }

  /// In a forked child: every handle looks stale, at no cost to the usual path.
  static func forget() { boot() }

  /// One more than the greatest index of a slot that was ever made.
  static var count: UInt64 {
    slotLock.pointee.lock()
    defer { slotLock.pointee.unlock() }
    return slotCount
  }

  /// The slot with that index, which is within the mask.
  @inline(__always)
  static func at(_ index: UInt64) -> Slot {
    Slot(base: slotTable.unsafelyUnwrapped + Int(truncatingIfNeeded: index) &* Slot.stride)
  }

  /// A free slot and its index. Its generation is already one no handle has; its flags are clear.
  static func allocate() -> (Slot, UInt32) {
    let thread = currentThread()
    if thread.pointee.slot_head == 0 { refill(thread) }
    let index = thread.pointee.slot_head
    let slot = at(UInt64(index))
    thread.pointee.slot_head = slot.next.pointee
    thread.pointee.slot_count = thread.pointee.slot_count &- 1
    return (slot, index)
  }

  /// Gives a slot back. One whose generation would wrap is retired instead: an old handle must never
  /// come alive again.
  static func free(_ slot: Slot, _ index: UInt32) {
    let word = slot.word.pointee.load(ordering: .relaxed)
    if Word.generation(word) >= (1 << 26) &- 2 { return }
    let thread = currentThread()
    slot.next.pointee = thread.pointee.slot_head
    thread.pointee.slot_head = index
    thread.pointee.slot_count = thread.pointee.slot_count &+ 1
    if thread.pointee.slot_count > cacheLimit { spill(thread, keeping: cacheLimit / 2) }
  }

  /// A thread that ends leaves its free slots to the others.
  static func abandonCache(_ thread: Thread) { spill(thread, keeping: 0) }

  @inline(never)
  private static func refill(_ thread: Thread) {
    slotLock.pointee.lock()
    var taken: UInt32 = 0
    while taken < cacheLimit / 2, freeSlots != 0 {
      let index = freeSlots
      let slot = at(UInt64(index))
      freeSlots = slot.next.pointee
      slot.next.pointee = thread.pointee.slot_head
      thread.pointee.slot_head = index
      taken &+= 1
    }
    if taken == 0 { taken = grow(thread) }
    slotLock.pointee.unlock()
    thread.pointee.slot_count = thread.pointee.slot_count &+ taken
  }

  /// Adds slots that were never used. Under the lock.
  private static func grow(_ thread: Thread) -> UInt32 {
    // Slot 0 is never given out: a NULL handle names it.
    if slotCount == 0 { slotCount = 1 }
    if slotCount & (slotsPerStep &- 1) <= 1 {
      if slotCount > indexMask { rac_shim_fatal("too many objects are alive") }
      let start = slotCount & ~(slotsPerStep &- 1)
      rac_shim_make_writable(at(start).base, Int(slotsPerStep) &* Slot.stride)
    }
    var added: UInt32 = 0
    while added < cacheLimit / 2 {
      let index = slotCount
      at(index).next.pointee = thread.pointee.slot_head
      thread.pointee.slot_head = UInt32(truncatingIfNeeded: index)
      slotCount &+= 1
      added &+= 1
      if slotCount & (slotsPerStep &- 1) == 0 { break }
    }
    return added
  }

  @inline(never)
  private static func spill(_ thread: Thread, keeping: UInt32) {
    slotLock.pointee.lock()
    while thread.pointee.slot_count > keeping {
      let index = thread.pointee.slot_head
      let slot = at(UInt64(index))
      thread.pointee.slot_head = slot.next.pointee
      thread.pointee.slot_count = thread.pointee.slot_count &- 1
      slot.next.pointee = freeSlots
      freeSlots = index
    }
    slotLock.pointee.unlock()
  }
}

nonisolated(unsafe) private var slotTable: UnsafeMutableRawPointer? = nil
nonisolated(unsafe) private var slotMask: UInt64 = 0
nonisolated(unsafe) private var slotStrayBits: UInt64 = 0
nonisolated(unsafe) private var freeSlots: UInt32 = 0
nonisolated(unsafe) private var slotCount: UInt64 = 0
nonisolated(unsafe) private var theSlotLock: UnsafeMutablePointer<Lock>? = nil
private var slotLock: UnsafeMutablePointer<Lock> { theSlotLock.unsafelyUnwrapped }
