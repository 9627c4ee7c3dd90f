import CRACShims
import Synchronization

/// The kinds of handles, by use. A function accepts a set of kinds.
struct HandleKind: OptionSet {
  let rawValue: UInt32

  static let plainSignal = HandleKind(rawValue: 1 << 0)
  static let subject = HandleKind(rawValue: 1 << 1)
  static let grouped = HandleKind(rawValue: 1 << 2)
  static let subscriber = HandleKind(rawValue: 1 << 3)
  static let plainDisposable = HandleKind(rawValue: 1 << 4)
  static let compound = HandleKind(rawValue: 1 << 5)
  static let serial = HandleKind(rawValue: 1 << 6)
  static let scoped = HandleKind(rawValue: 1 << 7)
  static let plainScheduler = HandleKind(rawValue: 1 << 8)
  static let virtual = HandleKind(rawValue: 1 << 9)
  static let connection = HandleKind(rawValue: 1 << 10)
  static let recursion = HandleKind(rawValue: 1 << 11)
  static let hosted = HandleKind(rawValue: 1 << 12)
  static let command = HandleKind(rawValue: 1 << 13)
  static let property = HandleKind(rawValue: 1 << 14)
  /// One end of a channel: a subject that hears the other end.
  static let terminal = HandleKind(rawValue: 1 << 15)
  static let channel = HandleKind(rawValue: 1 << 16)
  static let sequence = HandleKind(rawValue: 1 << 17)
  static let sequenceIterator = HandleKind(rawValue: 1 << 18)
  /// Kinds with a bound on what waits at the gate: see BoundedLine.
  static let boundedSubject = HandleKind(rawValue: 1 << 19)
  static let boundedSubscriber = HandleKind(rawValue: 1 << 20)
  static let bound = HandleKind(rawValue: 1 << 21)
  static let counter = HandleKind(rawValue: 1 << 22)
  /// A disposable that is a `DirectSubscription`.
  static let subscription = HandleKind(rawValue: 1 << 23)

  static let subjects: HandleKind = [.subject, .grouped, .terminal, .boundedSubject]
  static let signals: HandleKind = [
    .plainSignal, .subject, .grouped, .terminal, .property, .boundedSubject,
  ]
  static let anySubscriber: HandleKind = [.subscriber, .boundedSubscriber]
  static let subscribers: HandleKind = [subjects, anySubscriber]
  static let disposables: HandleKind = [
    .plainDisposable, .subscription, .compound, .serial, .scoped,
  ]
  static let schedulers: HandleKind = [.plainScheduler, .virtual, .hosted]

  /// How a slot keeps a single kind.
  var number: UInt8 { UInt8(truncatingIfNeeded: rawValue.trailingZeroBitCount) }

  func includes(_ slot: Slot) -> Bool { rawValue &>> UInt32(slot.kind.pointee) & 1 != 0 }
}

/// Handles are numbers: 27 bits of slot, 26 bits of generation.
///
/// A slot's word counts the references. The last one to go advances the generation, so the handle
/// is stale from that moment on, for every thread.
enum Handles {
  /// One reference to the object, in a slot of its own.
  @inline(__always)
  static func make(_ object: Object, _ kind: HandleKind) -> OpaquePointer {
    make(owned: .passRetained(object), kind)
  }

  /// The same, taking over the caller's reference to the object.
  static func make(owned object: Unmanaged<Object>, _ kind: HandleKind) -> OpaquePointer {
    makeHere(owned: object, kind, in: Slots.allocate())
  }

  /// The same in a slot that was taken before, inlined where most handles are made.
  @inline(__always)
  static func makeHere(
    owned object: Unmanaged<Object>, _ kind: HandleKind, in slot: Slot
  ) -> OpaquePointer {
    makeFirst(owned: object, kind, in: slot, isGate: false)
  }

  /// A handle that no release makes stale. A forked child that begins anew uses the parent's
  /// handle, `known`, again: no other handle gets its slot there.
  static func makeImmortal(_ object: Object, _ kind: HandleKind, _ known: OpaquePointer?)
    -> OpaquePointer
  {
    var slot: Slot
    if let known, let (place, generation) = locate(known) {
      slot = place
      slot.word.pointee.store(generation &<< Word.generationShift, ordering: .relaxed)
    } else {
      slot = Slots.allocate()
    }
    let handle = makeHere(owned: .passRetained(object), kind, in: slot)
    slot.word.pointee.bitwiseOr(Word.immortal, ordering: .releasing)
    return handle
  }

  /// One reference to an object whose gate lies in the handle's slot: looking up and entering are
  /// then one step. Only once in the gate's life.
  static func make(_ object: Object, _ kind: HandleKind, at gate: Gate) -> OpaquePointer {
    gate.slot.fill(.passRetained(object), kind.number, isGate: true)
    // Others may be at the gate already.
    let word = gate.slot.word.pointee.wrappingAdd(
      Word.oneReference | Word.published, ordering: .releasing
    ).newValue
    sealIfClosed(gate.slot)
    return number(gate.slot, word)
  }

  /// The same for a gate that no other thread knows yet. Takes over the caller's reference to the
  /// object.
  @inline(__always)
  static func makeFirst(
    owned object: Unmanaged<Object>, _ kind: HandleKind, at gate: Gate
  ) -> OpaquePointer {
    makeFirst(owned: object, kind, in: gate.slot, isGate: true)
  }

  @inline(__always)
  private static func makeFirst(
    owned object: Unmanaged<Object>, _ kind: HandleKind, in slot: Slot, isGate: Bool
  ) -> OpaquePointer {
    slot.fill(object, kind.number, isGate: isGate)
    var word = slot.word.pointee.load(ordering: .relaxed)
    word = word &+ (Word.oneReference | Word.published | (isGate ? 0 : Word.noGate))
    slot.word.pointee.store(word, ordering: .releasing)
    sealIfClosed(slot)
    return number(slot, word)
  }

  private static func number(_ slot: Slot, _ word: UInt64) -> OpaquePointer {
    let number = UInt64(slot.index) | (Word.generation(word) &<< Slots.generationShift)
    return OpaquePointer(bitPattern: UInt(number)).unsafelyUnwrapped
  }

  /// The slot that a handle names if it could be a handle, and the generation it was made in.
  static func locate(_ handle: OpaquePointer) -> (Slot, UInt64)? {
    let number = UInt64(UInt(bitPattern: handle))
    guard number & Slots.strayBits == 0 else { return nil }
    return (Slots.named(number), number >> Slots.generationShift)
  }

  /// Whether a handle is one of these kinds, for a caller that does not need the object. nil: stale
  /// or garbage.
  @inline(__always)
  static func names(_ kinds: HandleKind, _ handle: OpaquePointer) -> Bool? {
    guard let (slot, generation) = locate(handle) else { return nil }
    let word = slot.word.pointee.load(ordering: .acquiring)
    guard Word.generation(word) == generation, word & Word.published != 0 else { return nil }
    return kinds.rawValue &>> UInt32(slot.latestKind) & 1 != 0
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
      let desired = word &+ one
      // It was full.
      if desired & full == 0 { return nil }
      let (done, now) = slot.word.pointee.weakCompareExchange(
        expected: word, desired: desired,
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
      let (desired, remains) = slot.left(word &- Word.onePin)
      let (done, now) = slot.word.pointee.weakCompareExchange(
        expected: word, desired: desired,
        successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if done { return finalize(remains) }
      word = now
    }
  }

  // MARK: When the library is closed

  /// Takes every handle out of use: it is not published any more, and answered as a stale one is,
  /// at no cost to the usual path. It keeps its references, and is released as ever. A thread
  /// inside its gate may find more to do when it leaves.
  static func sealAll() {
    _ = Slots.first {
      seal($0)
      return false
    }
  }

  /// For a handle that was made meanwhile (a Dekker pair): either this look, after the handle was
  /// published, sees the closing, or the walk over the table, after rac_shim_close(), sees the
  /// handle.
  private static func sealIfClosed(_ slot: Slot) {
    if Process.isClosed { seal(slot) }
  }

  @inline(never)
  private static func seal(_ slot: Slot) {
    var word = slot.word.pointee.load(ordering: .acquiring)
    while word & Word.published != 0 {
      let flags = word & Word.busy != 0 ? Word.pending : 0
      let (done, now) = slot.word.pointee.weakCompareExchange(
        expected: word, desired: word & ~Word.published | flags,
        successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
      if done { return }
      word = now
    }
  }

  /// `acquire` for a handle that was sealed.
  static func acquireSealed(_ handle: OpaquePointer) -> Slot? {
    guard let (slot, generation) = locate(handle) else { return nil }
    var word = slot.word.pointee.load(ordering: .relaxed)
    while Word.generation(word) == generation, word & Word.references != 0,
      word & Word.published == 0, word & Word.pins != Word.pins
    {
      if word & Word.immortal != 0 { return slot }
      let (done, now) = slot.word.pointee.weakCompareExchange(
        expected: word, desired: word &+ Word.onePin,
        successOrdering: .acquiring, failureOrdering: .relaxed)
      if done { return slot }
      word = now
    }
    return nil
  }

  /// Calls with each object of these kinds that somebody holds, which is kept for the call.
  static func forEach(_ kinds: HandleKind, _ body: (Object) -> Void) {
    _ = Slots.first {
      let word = $0.word.pointee.load(ordering: .acquiring)
      if word & Word.published != 0, let slot = acquire(number($0, word)) {
        if kinds.includes(slot) {
          let object = Unmanaged<Object>.fromOpaque(slot.object)
          object._withUnsafeGuaranteedRef { body($0) }
        }
        release(slot)
      }
      return false
    }
  }

  /// Calls with each object of these kinds whose handle is sealed.
  static func forEachSealed(_ kinds: HandleKind, _ body: (Unmanaged<Object>) -> Void) {
    _ = Slots.first {
      let word = $0.word.pointee.load(ordering: .acquiring)
      if let slot = acquireSealed(number($0, word)) {
        if kinds.includes(slot) { body(Unmanaged<Object>.fromOpaque(slot.object)) }
        release(slot)
      }
      return false
    }
  }

  /// Whether some slot shows one of these flags: a thread inside a gate, or a call that uses an
  /// object.
  static func someShow(_ flags: UInt64) -> Bool {
    Slots.first {
      let word = $0.word.pointee.load(ordering: .acquiring)
      return word & flags != 0 && word & Word.immortal == 0
    } != nil
  }

  // MARK: Giving back

  /// Gives back one reference of a handle. False: stale or garbage.
  static func release(handle: OpaquePointer) -> Bool { releaseHere(handle) }

  /// The same, inlined where most handles are given back.
  @inline(__always)
  static func releaseHere(_ handle: OpaquePointer) -> Bool {
    guard let (slot, generation) = locate(handle) else { return false }
    let word = slot.word.pointee.load(ordering: .acquiring)
    // A gate with something parked shows the same.
    if word == sole(generation), !slot.isGate, releaseSole(slot, word) { return true }
    return releaseRarely(handle)
  }

  /// The same for every state of the slot.
  private static func releaseRarely(_ handle: OpaquePointer) -> Bool {
    guard let (slot, generation) = locate(handle) else { return false }
    var word = slot.word.pointee.load(ordering: .acquiring)
    // Not whether it is published: a sealed one is released like any other.
    while Word.generation(word) == generation, word & Word.references != 0 {
      if word & Word.immortal != 0 { return true }
      var desired = word &- Word.oneReference
      var remains: Remains? = nil
      if desired & Word.references == 0 {
        (desired, remains) = slot.left(released(word))
      }
      let (done, now) = slot.word.pointee.weakCompareExchange(
        expected: word, desired: desired,
        successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
      if done {
        finalize(remains)
        return true
      }
      word = now
    }
    return false
  }

  /// The word of a handle without a gate that has one reference and is used by no call.
  private static func sole(_ generation: UInt64) -> UInt64 {
    generation &* Word.oneGeneration | Word.oneReference | Word.published | Word.noGate
  }

  /// The usual case of `release`. False: the word has changed.
  @inline(__always)
  private static func releaseSole(_ slot: Slot, _ word: UInt64) -> Bool {
    let (done, _) = slot.word.pointee.compareExchange(
      expected: word, desired: released(word) & ~Word.closing,
      successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
    if done {
      // From that step on the slot is this thread's alone.
      let object = slot.object
      Slots.free(slot)
      letGo(of: .fromOpaque(object))
    }
    return done
  }

  /// Gives back the only reference of a handle, as `release` does, and hands over the one to its
  /// object. nil, and nothing has happened, where there are others, a call is using it, or it is of
  /// another kind. The kind is one that has no gate, and whose objects do not care when their last
  /// handle goes.
  static func redeem(_ handle: OpaquePointer, _ kind: HandleKind) -> Unmanaged<Object>? {
    guard let (slot, generation) = locate(handle) else { return nil }
    let word = sole(generation)
    guard slot.word.pointee.load(ordering: .acquiring) == word,
      slot.latestKind == kind.number,
      case let (gone, remains?) = slot.left(released(word))
    else { return nil }
    let (done, _) = slot.word.pointee.compareExchange(
      expected: word, desired: gone,
      successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
    guard done, let object = remains.object else { return nil }
    Slots.free(slot)
    return .fromOpaque(object)
  }

  /// The same for one whose gate is in its slot, and that nobody is in, of whatever kind. The slot
  /// goes with the gate.
  @inline(__always)
  static func redeem(_ handle: OpaquePointer) -> Unmanaged<Object>? {
    guard let (slot, generation) = locate(handle) else { return nil }
    let word = sole(generation) & ~Word.noGate
    guard slot.word.pointee.load(ordering: .acquiring) == word else { return nil }
    let object = slot.object
    let (done, _) = slot.word.pointee.compareExchange(
      expected: word, desired: released(word) & ~Word.closing,
      successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
    return done ? .fromOpaque(object) : nil
  }

  /// The word after the last reference has gone.
  private static func released(_ word: UInt64) -> UInt64 {
    (word &+ (Word.oneGeneration | Word.closing) &- Word.oneReference) & ~Word.published
  }

  /// The slot lets go of its object; the generation has already moved on.
  @inline(__always)
  static func finalize(_ remains: Remains?) {
    if let remains { finalize(remains) }
  }

  @inline(never)
  private static func finalize(_ remains: Remains) {
    // A handle in its object's gate: the slot goes with the gate, not with the handle.
    if !remains.isGate { Slots.free(remains.slot) }
    letGo(of: .fromOpaque(remains.object.unsafelyUnwrapped))
  }

  /// Takes over the reference.
  @inline(__always)
  private static func letGo(of object: Unmanaged<Object>) {
    // This may run inside a destroy, and that inside another.
    if Stack.isShort { letGoElsewhere(of: object) } else { letGoHere(of: object) }
  }

  @inline(never)
  private static func letGoElsewhere(of object: Unmanaged<Object>) {
    Worker.run { letGoHere(of: object) }
  }

  private static func letGoHere(of object: Unmanaged<Object>) {
    object._withUnsafeGuaranteedRef { $0.lastHandleReleased() }
    object.drop()
  }
}
