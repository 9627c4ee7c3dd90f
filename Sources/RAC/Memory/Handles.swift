import CRACShims
import Synchronization

/// What a handle may be used as. A function accepts a set of kinds.
struct Kind: OptionSet {
  let rawValue: UInt32

  static let plainSignal = Kind(rawValue: 1 << 0)
  static let subject = Kind(rawValue: 1 << 1)
  static let grouped = Kind(rawValue: 1 << 2)
  static let emitter = Kind(rawValue: 1 << 3)
  static let plainDisposable = Kind(rawValue: 1 << 4)
  static let compound = Kind(rawValue: 1 << 5)
  static let serial = Kind(rawValue: 1 << 6)
  static let scoped = Kind(rawValue: 1 << 7)
  static let plainScheduler = Kind(rawValue: 1 << 8)
  static let virtual = Kind(rawValue: 1 << 9)
  static let connection = Kind(rawValue: 1 << 10)
  static let recursion = Kind(rawValue: 1 << 11)
  static let hosted = Kind(rawValue: 1 << 12)
  static let command = Kind(rawValue: 1 << 13)
  static let property = Kind(rawValue: 1 << 14)
  /// One end of a channel: a subject that hears the other end.
  static let terminal = Kind(rawValue: 1 << 15)
  static let channel = Kind(rawValue: 1 << 16)
  static let sequence = Kind(rawValue: 1 << 17)
  static let sequenceIterator = Kind(rawValue: 1 << 18)

  static let subjects: Kind = [.subject, .grouped, .terminal]
  static let signals: Kind = [.plainSignal, .subject, .grouped, .terminal, .property]
  static let subscribers: Kind = [.subject, .grouped, .terminal, .emitter]
  static let disposables: Kind = [.plainDisposable, .compound, .serial, .scoped]
  static let schedulers: Kind = [.plainScheduler, .virtual, .hosted]

  /// How a slot keeps a single kind.
  var number: UInt8 { UInt8(truncatingIfNeeded: rawValue.trailingZeroBitCount) }

  @inline(__always)
  func includes(_ slot: Slot) -> Bool { rawValue &>> UInt32(slot.kind.pointee) & 1 != 0 }
}

/// Handles are numbers: 27 bits of slot, 26 bits of generation.
///
/// A slot's word counts the references. The last one to go advances the generation, so the handle is
/// stale from that moment on, for every thread.
enum Handles {
  /// One reference to the object, in a slot of its own.
  @inline(__always)
  static func make(_ object: Object, _ kind: Kind) -> OpaquePointer {
    make(owned: .passRetained(object), kind)
  }

  /// The same, taking over the caller's reference to the object.
  static func make(owned object: Unmanaged<Object>, _ kind: Kind) -> OpaquePointer {
    let (slot, index) = Slots.allocate()
    fill(slot, object, kind, index, isGate: false)
    // Nobody changes the word of a slot that no handle names.
    let word =
      slot.word.pointee.load(ordering: .relaxed)
      &+ (Word.oneReference | Word.noGate | Word.published)
    slot.word.pointee.store(word, ordering: .releasing)
    return number(index, word)
  }

  /// A handle that no release makes stale.
  static func makeImmortal(_ object: Object, _ kind: Kind) -> OpaquePointer {
    let handle = make(object, kind)
    if let (slot, _) = locate(handle) {
      slot.word.pointee.bitwiseOr(Word.immortal, ordering: .releasing)
    }
    return handle
  }

  /// One reference to an object whose gate lies in the handle's slot: looking up and entering are
  /// then one step. Only once in the gate's life.
  static func make(_ object: Object, _ kind: Kind, at gate: Gate) -> OpaquePointer {
    let slot = gate.slot
    fill(slot, .passRetained(object), kind, gate.index, isGate: true)
    // Others may be at the gate already.
    let word = slot.word.pointee.wrappingAdd(
      Word.oneReference | Word.published, ordering: .releasing
    ).newValue
    return number(gate.index, word)
  }

  /// The same for a gate that nobody else knows of yet, which is biased to this thread at once. Takes
  /// over the caller's reference to the object.
  static func makeFirst(
    owned object: Unmanaged<Object>, _ kind: Kind, at gate: Gate, for thread: Thread
  ) -> OpaquePointer {
    let slot = gate.slot
    fill(slot, object, kind, gate.index, isGate: true)
    var word = slot.word.pointee.load(ordering: .relaxed)
    word = word &+ (Word.oneReference | Word.published)
    if word & Word.shared == 0 && thread.pointee.index != 0 {
      slot.owner.pointee.store(thread.pointee.index, ordering: .relaxed)
      word |= Word.biased
    }
    slot.word.pointee.store(word, ordering: .releasing)
    return number(gate.index, word)
  }

  private static func fill(
    _ slot: Slot, _ object: Unmanaged<Object>, _ kind: Kind, _ index: UInt32, isGate: Bool
  ) {
    slot.object.pointee = object.toOpaque()
    slot.kind.pointee = kind.number
    slot.isGate.pointee = isGate
    slot.next.pointee = index
  }

  private static func number(_ index: UInt32, _ word: UInt64) -> OpaquePointer {
    let number = UInt64(index) | (Word.generation(word) &<< Slots.generationShift)
    return OpaquePointer(bitPattern: UInt(number)).unsafelyUnwrapped
  }

  /// The slot that a handle names if it could be a handle, and the generation it was made in.
  @inline(__always)
  static func locate(_ handle: OpaquePointer) -> (Slot, UInt64)? {
    let number = UInt64(UInt(bitPattern: handle))
    guard number & Slots.strayBits == 0 else { return nil }
    return (Slots.at(number & Slots.indexMask), number >> Slots.generationShift)
  }

  /// Keeps the object for the length of a call. nil: stale or garbage.
  @inline(__always)
  static func acquire(_ handle: OpaquePointer) -> Slot? {
    add(Word.onePin, below: Word.pins, to: handle)
  }

  /// One more reference. nil: stale or garbage, or there are 65,535 of them.
  static func retain(_ handle: OpaquePointer) -> Slot? {
    add(Word.oneReference, below: Word.references, to: handle)
  }

  @inline(__always)
  private static func add(_ one: UInt64, below full: UInt64, to handle: OpaquePointer) -> Slot? {
    guard let (slot, generation) = locate(handle) else { return nil }
    var word = slot.word.pointee.load(ordering: .relaxed)
    while Word.generation(word) == generation, word & Word.published != 0 {
      if word & Word.immortal != 0 { return slot }
      if word & full == full { return nil }
      let (done, now) = slot.word.pointee.weakCompareExchange(
        expected: word, desired: word &+ one,
        successOrdering: .acquiring, failureOrdering: .relaxed)
      if done { return slot }
      word = now
    }
    return nil
  }

  /// Ends what `acquire` began.
  @inline(__always)
  static func release(_ slot: Slot) {
    var word = slot.word.pointee.load(ordering: .relaxed)
    while word & Word.immortal == 0 {
      var desired = word &- Word.onePin
      let isLast = desired & (Word.pins | Word.busy) == 0 && word & Word.closing != 0
      if isLast { desired &= ~Word.closing }
      let (done, now) = slot.word.pointee.weakCompareExchange(
        expected: word, desired: desired,
        successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if done {
        if isLast { finalize(slot) }
        return
      }
      word = now
    }
  }

  /// Gives back one reference of a handle. False: stale or garbage.
  static func release(handle: OpaquePointer) -> Bool {
    guard let (slot, generation) = locate(handle) else { return false }
    var word = slot.word.pointee.load(ordering: .relaxed)
    while Word.generation(word) == generation, word & Word.published != 0 {
      if word & Word.immortal != 0 { return true }
      var desired = word &- Word.oneReference
      let isLast = desired & Word.references == 0
      if isLast && word & Word.biased != 0 {
        let gate = Gate(enteredAt: slot)
        if !gate.isOwnedOutside(currentThread()) {
          // Is the gate's thread inside? In the shared mode the word says so.
          gate.share(currentThread())
          word = slot.word.pointee.load(ordering: .relaxed)
          continue
        }
        desired = desired & ~(Word.biased | Word.revoking) | Word.shared
      }
      let isInUse = word & (Word.busy | Word.pins) != 0
      if isLast {
        desired = desired &+ Word.oneGeneration &- Word.published
        if isInUse { desired |= Word.closing }
      }
      let (done, now) = slot.word.pointee.weakCompareExchange(
        expected: word, desired: desired,
        successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if done {
        if isLast && !isInUse { finalize(slot) }
        return true
      }
      word = now
    }
    return false
  }

  /// A gate's word without its holder, and whether the holder has to drop the object.
  @inline(__always)
  static func left(_ word: UInt64) -> (UInt64, dropsObject: Bool) {
    let drops = word & Word.closing != 0 && word & Word.pins == 0
    let mine = Word.busy | Word.ownerHeld
    return (word & ~(drops ? mine | Word.closing : mine), drops)
  }

  /// The slot lets go of its object; the generation has already moved on.
  static func finalize(_ slot: Slot) {
    let object = Unmanaged<Object>.fromOpaque(slot.object.pointee.unsafelyUnwrapped)
    slot.object.pointee = nil
    // A handle in its object's gate: the slot goes with the gate, not with the handle.
    let ownsSlot = !slot.isGate.pointee
    let index = slot.next.pointee
    if ownsSlot {
      let word = slot.word.pointee.load(ordering: .relaxed)
      slot.word.pointee.store(word & ~Word.flags, ordering: .relaxed)
      Slots.free(slot, index)
    }
    object._withUnsafeGuaranteedRef { $0.lastHandleReleased() }
    object.drop()
  }
}
