import CRACShims
import Synchronization

/// Entering a gate without an atomic operation, for the one thread that it is biased to.
///
/// A gate becomes that of the first thread that sends through it. That thread, the owner, writes in its
/// own record which gate it is in, looks once more whether the gate is still its own, and is in; to leave
/// it takes the note back and looks again. Anybody else who wants something of the gate first ends the
/// bias, for good: sets `revoking`, has every running thread pass a memory barrier (membarrier), and then
/// reads the owner's record. After that barrier either the owner's note is to be seen here, or the owner
/// sees `revoking`, which is Dekker's argument with the owner's half of the fences moved over here. One
/// compare-and-swap out of `revoking` says how it went:
///
/// ```
/// biased | revoking  ->  shared                        the owner is not inside
///                    ->  shared | busy | ownerHeld     it is, and leaves as everybody does
///                    ->  shared | busy, shared         the owner noticed first, entering or leaving
/// ```
/// `revoking` cannot come back while the gate lives, so a compare-and-swap that comes late fails. The
/// note is in the owner's record, not in the slot: an owner that was held up while it tried a stale
/// handle could otherwise overwrite what belongs to the slot's next gate. `Tests/model` checks all this.
extension Gate {
  /// Whether new gates may be biased: not without membarrier, nor when RAC_GATE=shared says so.
  static var canBeBiased: Bool {
    @inline(__always) get { rac_shim_has_barrier() }
  }

  // MARK: The owner

  /// False when the gate is not this thread's, or it is inside already.
  @inline(__always)
  func enterByBias() -> Bool {
    let thread = currentThread()
    let word = slot.word.pointee.load(ordering: .relaxed)
    guard word & Word.state == Word.biased, mayEnter(thread) else { return false }
    rac_shim_hold(thread, slot.base)
    return isStill(Word.biased, Word.state) || resolveEntry(thread)
  }

  /// The same by way of a handle that may go stale at any time. Once inside the object is kept.
  @inline(__always)
  func enterByBias(_ word: UInt64, _ generation: UInt64, _ thread: Thread) -> Bool {
    let expected = generation &<< 38 | Word.biased | Word.published
    let mask = Word.generations | Word.flags
    guard (word ^ expected) & mask == 0, mayEnter(thread) else { return false }
    rac_shim_hold(thread, slot.base)
    return isStill(expected, mask) || resolveEntry(thread)
  }

  /// The same in steps, for a thread that is in no other gate: this one says whether it may come in, and
  /// then `rac_shim_hold_first` and `isStillAlone` follow. So the caller decides how to go on, which costs
  /// the usual case less.
  @inline(__always)
  func approachAlone(_ handle: UInt64) -> Thread? {
    let thread = rac_shim_thread_if_any().unsafelyUnwrapped
    let word = slot.word.pointee.load(ordering: .relaxed)
    guard (word ^ Gate.alone(handle)) & Gate.aloneMask == 0, handle >> 53 == 0,
      slot.owner.pointee.load(ordering: .relaxed) == thread.pointee.index, thread.pointee.held == 0
    else { return nil }
    return thread
  }

  @inline(__always)
  func isStillAlone(_ handle: UInt64) -> Bool { isStill(Gate.alone(handle), Gate.aloneMask) }

  @inline(__always)
  private static var aloneMask: UInt64 { Word.generations | Word.flags }

  /// What the word of the gate behind a handle shows, counts aside.
  @inline(__always)
  private static func alone(_ handle: UInt64) -> UInt64 {
    handle &<< (38 &- Slots.generationShift) & Word.generations | Word.biased | Word.published
  }

  @inline(__always)
  private func mayEnter(_ thread: Thread) -> Bool {
    slot.owner.pointee.load(ordering: .relaxed) == thread.pointee.index
      && rac_shim_may_hold(thread, slot.base)
  }

  @inline(__always)
  private func isStill(_ expected: UInt64, _ mask: UInt64) -> Bool {
    (slot.word.pointee.load(ordering: .acquiring) ^ expected) & mask == 0
  }

  /// Somebody is ending the bias while this thread comes in. True: it is inside nevertheless.
  @inline(never)
  func resolveEntry(_ thread: Thread) -> Bool {
    while let word = ownWord(thread) {
      if word & Word.ownerHeld != 0 { return true }
      if exchange(word, Word.shared | Word.busy) {
        rac_shim_unhold(thread)
        thread.pointee.depth = thread.pointee.depth &+ 1
        return true
      }
    }
    rac_shim_unhold(thread)
    return false
  }

  /// Out, unless somebody saw this thread inside and made it the holder: then there may be more to do,
  /// and it leaves as everybody does.
  @inline(__always)
  func leaveByBias(_ thread: Thread) -> Bool {
    rac_shim_unhold(thread)
    return isStill(Word.biased, Word.state) || resolveExit(thread)
  }

  /// From here on nothing keeps the gate: what the word says counts only if the gate is still this
  /// thread's.
  @inline(never)
  private func resolveExit(_ thread: Thread) -> Bool {
    while let word = ownWord(thread) {
      if word & Word.ownerHeld != 0 {
        thread.pointee.depth = thread.pointee.depth &+ 1
        return false
      }
      if word & Word.revoking == 0 || exchange(word, Word.shared) { return true }
    }
    return true
  }

  /// The word while it says something about a bias to this thread. Nobody else makes this thread an
  /// owner, so it cannot be mistaken about that.
  private func ownWord(_ thread: Thread) -> UInt64? {
    let word = slot.word.pointee.load(ordering: .acquiring)
    guard word & (Word.biased | Word.ownerHeld) != 0,
      slot.owner.pointee.load(ordering: .relaxed) == thread.pointee.index
    else { return nil }
    return word
  }

  /// Whether this thread entered the gate, by its bias, as the last of those it is in.
  @inline(__always)
  func isTop(_ thread: Thread) -> Bool { rac_shim_top(thread) == UInt(bitPattern: slot.base) }

  /// Whether the gate is biased to this thread, which is not inside.
  func isOwnedOutside(_ thread: Thread) -> Bool {
    slot.owner.pointee.load(ordering: .relaxed) == thread.pointee.index
      && !rac_shim_holds(thread, slot.base)
  }

  // MARK: Beginning and ending a bias

  /// Makes a gate that nobody has sent through this thread's.
  func claim(_ thread: Thread) -> Bool {
    let me = thread.pointee.index
    guard me != 0, slot.word.pointee.load(ordering: .relaxed) & Word.state == 0 else {
      return false
    }
    let (taken, owner) = slot.owner.pointee.compareExchange(
      expected: 0, desired: me, ordering: .relaxed)
    guard taken || owner == me else { return false }
    var word = slot.word.pointee.load(ordering: .relaxed)
    while word & Word.state == 0 {
      let (done, now) = slot.word.pointee.weakCompareExchange(
        expected: word, desired: word | Word.biased,
        successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if done { return true }
      word = now
    }
    return false
  }

  /// The owner, outside and with a reference of the handle, gives the gate back to whoever sends next,
  /// if anybody else has a reference.
  func unclaimIfShared(_ thread: Thread) {
    let references = slot.word.pointee.load(ordering: .relaxed) & Word.references
    if references != Word.oneReference { unclaim(thread) }
  }

  private func unclaim(_ thread: Thread) {
    let me = thread.pointee.index
    guard slot.owner.pointee.load(ordering: .relaxed) == me else { return }
    var word = slot.word.pointee.load(ordering: .relaxed)
    while word & Word.state == Word.biased {
      let (done, now) = slot.word.pointee.weakCompareExchange(
        expected: word, desired: word & ~Word.biased,
        successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if done {
        _ = slot.owner.pointee.compareExchange(expected: me, desired: 0, ordering: .relaxed)
        return
      }
      word = now
    }
  }

  /// Ends the bias, if there is one: the word then says whether somebody is inside.
  func share(_ thread: Thread) {
    if unbias(thread) { return }
    // This thread itself, further up.
    while let word = ownWord(thread), word & Word.biased != 0 {
      if exchange(word, Word.shared | Word.busy | Word.ownerHeld) { return }
    }
  }

  /// Ends the bias, if there is one; false: it stays, as this thread is inside by it.
  func unbias(_ thread: Thread) -> Bool {
    while true {
      let word = slot.word.pointee.load(ordering: .acquiring)
      if word & Word.biased == 0 { return true }
      if slot.owner.pointee.load(ordering: .relaxed) != thread.pointee.index {
        revoke(word)
      } else if rac_shim_holds(thread, slot.base) {
        return false
      } else {
        _ = exchange(word, Word.shared)
      }
    }
  }

  @inline(never)
  private func revoke(_ word: UInt64) {
    if word & Word.revoking == 0 {
      let (done, _) = slot.word.pointee.compareExchange(
        expected: word, desired: word | Word.revoking, ordering: .acquiringAndReleasing)
      if !done { return }
    }
    rac_shim_barrier()
    let owner = slot.owner.pointee.load(ordering: .relaxed)
    let isInside = rac_shim_thread_holds(owner, slot.base)
    let flags = isInside ? Word.shared | Word.busy | Word.ownerHeld : Word.shared
    while true {
      let now = slot.word.pointee.load(ordering: .acquiring)
      // Of another generation it is none of ours.
      guard now & Word.revoking != 0, Word.generation(now) == Word.generation(word) else { return }
      if exchange(now, flags) { return }
    }
  }

  /// Out of the bias in one step; what else the word counts stays.
  private func exchange(_ word: UInt64, _ flags: UInt64) -> Bool {
    slot.word.pointee.compareExchange(
      expected: word, desired: word & ~(Word.biased | Word.revoking) | flags,
      ordering: .acquiringAndReleasing
    ).exchanged
  }
}
