import CRACShims
import Synchronization

/// The one ordering mechanism: whoever is inside applies operations one at a time; whoever comes
/// meanwhile leaves its operation in the queue and goes on. Nobody waits, and no lock is held while
/// a callback runs.
///
/// A gate lies in a slot, so that looking a handle up and entering its gate look at the same word. The
/// first thread that sends gets in and out without an atomic operation, see Bias.swift; once a second
/// one has come, everybody enters with one compare-and-swap and leaves with one.
struct Gate {
  let slot: Slot
  let index: UInt32

  init() {
    (slot, index) = Slots.allocate()
    if !Gate.canBeBiased {
      // Nobody knows the slot yet.
      let word = slot.word.pointee.load(ordering: .relaxed)
      slot.word.pointee.store(word | Word.shared, ordering: .relaxed)
    }
  }

  /// The gate of a slot that somebody has entered by way of its handle.
  @inline(__always)
  init(enteredAt slot: Slot) {
    self.slot = slot
    index = 0
  }

  /// Only once nobody can enter any more.
  func free() {
    var word = slot.word.pointee.load(ordering: .acquiring)
    word = (word & ~(Word.flags | Word.references | Word.pins)) &+ Word.oneGeneration
    slot.owner.pointee.store(0, ordering: .relaxed)
    slot.word.pointee.store(word, ordering: .releasing)
    Slots.free(slot, index)
  }

  // MARK: Entering

  /// True: the caller is inside and must leave. False: somebody else is, or this thread already, or
  /// work was parked that comes first, or this thread is too deep in other gates.
  /// The caller keeps the object behind the gate alive.
  @inline(__always)
  func enter() -> Bool {
    enterByBias() || enterFree(claimable: true) || enterSlowly(claiming: false)
  }

  /// The same for one who sends: a gate that nobody has sent through yet becomes this thread's.
  @inline(__always)
  func enterToSend() -> Bool {
    enterByBias() || enterFree(claimable: false) || enterSlowly(claiming: true)
  }

  /// For a gate that nobody else knows of yet: however deep in others this thread is.
  func enterFirst() {
    slot.word.pointee.bitwiseOr(Word.busy, ordering: .acquiring)
    Gate.deepen()
  }

  /// With one compare-and-swap, when nobody is inside and nobody owns the gate; one that somebody could
  /// own only if it is `claimable`.
  @inline(__always)
  private func enterFree(claimable: Bool) -> Bool {
    let thread = currentThread()
    let word = slot.word.pointee.load(ordering: .relaxed)
    let state = word & Word.state
    guard state == Word.shared || claimable && state == 0, thread.pointee.depth < Thread.deepest
    else {
      return false
    }
    let (entered, _) = slot.word.pointee.compareExchange(
      expected: word, desired: word | Word.busy,
      successOrdering: .acquiring, failureOrdering: .relaxed)
    if entered { thread.pointee.depth = thread.pointee.depth &+ 1 }
    return entered
  }

  @inline(never)
  private func enterSlowly(claiming: Bool) -> Bool {
    let thread = currentThread()
    if thread.pointee.depth >= Thread.deepest { return false }
    if claiming && claim(thread) && enterByBias() { return true }
    guard unbias(thread) else { return false }
    // One that could not be claimed is not tried again.
    let flags = claiming ? Word.busy | Word.shared : Word.busy
    var word = slot.word.pointee.load(ordering: .relaxed)
    while word & (Word.busy | Word.pending) == 0 {
      if word & Word.biased != 0 {
        // Somebody claimed it this moment.
        _ = unbias(thread)
        word = slot.word.pointee.load(ordering: .relaxed)
        continue
      }
      let (done, now) = slot.word.pointee.weakCompareExchange(
        expected: word, desired: word | flags,
        successOrdering: .acquiring, failureOrdering: .relaxed)
      if done {
        thread.pointee.depth = thread.pointee.depth &+ 1
        return true
      }
      word = now
    }
    return false
  }

  /// The same by way of a handle that may go stale at any time, in the shared mode. Once inside the
  /// object is kept.
  @inline(__always)
  func enterShared(_ word: UInt64, _ generation: UInt64, _ thread: Thread) -> Bool {
    let expected = generation &<< 38 | Word.shared | Word.published
    guard (word ^ expected) & (Word.generations | Word.flags) == 0,
      thread.pointee.depth < Thread.deepest
    else { return false }
    let (entered, _) = slot.word.pointee.compareExchange(
      expected: word, desired: word | Word.busy,
      successOrdering: .acquiring, failureOrdering: .relaxed)
    if entered { thread.pointee.depth = thread.pointee.depth &+ 1 }
    return entered
  }

  /// True when an operation came while the gate was held: look at every sink before calling it.
  @inline(__always)
  var isDisturbed: Bool { slot.word.pointee.load(ordering: .relaxed) & Word.pending != 0 }

  // MARK: Leaving

  /// Leaves, after applying what was queued meanwhile.
  @inline(__always)
  func leave(_ core: Core) { leave(core, currentThread()) }

  @inline(__always)
  func leave(_ core: Core, _ thread: Thread) {
    let word = slot.word.pointee.load(ordering: .relaxed)
    if word & Word.state == Word.biased {
      if leaveByBias(thread) { return }
    } else if word & (Word.pending | Word.closing | Word.ownerHeld | Word.biased) == 0 {
      let (done, _) = slot.word.pointee.compareExchange(
        expected: word, desired: word & ~Word.busy,
        successOrdering: .releasing, failureOrdering: .relaxed)
      if done {
        thread.pointee.depth = thread.pointee.depth &- 1
        return
      }
    }
    leaveSlowly(core)
  }

  @inline(never)
  private func leaveSlowly(_ core: Core) { _ = carryOn(core, hasQueued: false) }

  /// Applies what was parked, what was queued, and what comes meanwhile; then leaves.
  ///
  /// What this thread queued itself it delivers itself, however much it is. But a thread that happened
  /// to be inside is not to deliver for others without end: after so many operations of theirs it parks
  /// the rest and leaves. Whoever sends next goes on with it, and so feels the load it makes; when
  /// nobody comes, a worker does. True when all was done, false when some was parked.
  func carryOn(_ core: Core, hasQueued: Bool) -> Bool {
    let me = currentThread().token
    var oldest = core.parked
    core.parked = 0
    var hasQueued = hasQueued
    var foreign = 0
    while true {
      while let node = Waiting(oldest) {
        if node.sender.pointee != me {
          if foreign == Gate.patience {
            park(core, oldest)
            return false
          }
          foreign &+= 1
        }
        oldest = node.next.pointee
        node.apply(to: core)
      }
      let word = slot.word.pointee.load(ordering: .acquiring)
      if hasQueued || word & Word.pending != 0 {
        hasQueued = false
        slot.word.pointee.bitwiseAnd(~Word.pending, ordering: .acquiringAndReleasing)
        oldest = takeQueue()
      } else if leave(word, keeping: 0) {
        return true
      }
    }
  }

  /// False when the word has changed meanwhile, so that there may be more to do.
  private func leave(_ word: UInt64, keeping flags: UInt64) -> Bool {
    let thread = currentThread()
    if word & Word.biased != 0 { return leaveByBias(thread) }
    let (free, dropsObject) = Handles.left(word)
    let (done, _) = slot.word.pointee.compareExchange(
      expected: word, desired: free | flags,
      successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
    guard done else { return false }
    surface(thread)
    if dropsObject { Handles.finalize(slot) }
    return true
  }

  private static let patience = 1024

  /// Leaves with work undone: free, but pending, so that nobody gets in without doing it first.
  private func park(_ core: Core, _ list: UInt) {
    core.parked = list
    share(currentThread())
    let gate = self
    // Made before leaving: afterwards the core may be somebody else's to free.
    let job = ClosureJob { gate.carryOnIfParked(core) }
    while !leave(slot.word.pointee.load(ordering: .acquiring), keeping: Word.pending) {}
    BackgroundScheduler(priority: 0, name: nil).schedule(job)
  }

  private func carryOnIfParked(_ core: Core) {
    var word = slot.word.pointee.load(ordering: .relaxed)
    while word & (Word.busy | Word.biased) == 0, word & Word.pending != 0 {
      let (done, now) = slot.word.pointee.weakCompareExchange(
        expected: word, desired: word | Word.busy,
        successOrdering: .acquiring, failureOrdering: .relaxed)
      if done {
        Gate.deepen()
        _ = carryOn(core, hasQueued: true)
        return core.afterLeaving()
      }
      word = now
    }
  }

  // MARK: Queueing

  /// Leaves an operation for the thread inside; if that one has just left, applies it here.
  /// True when it was left for somebody else.
  @inline(never)
  func post(_ core: Core, _ operation: Operation, _ sink: Sink?, _ value: Value) -> Bool {
    let thread = currentThread()
    if !unbias(thread) {
      // Inside already, further up: it is applied before this thread leaves.
      Waiting.push(to: slot.queue, operation, sink, value)
      slot.word.pointee.bitwiseOr(Word.pending, ordering: .releasing)
      return true
    }
    Waiting.push(to: slot.queue, operation, sink, value)
    if thread.pointee.depth >= Thread.deepest { return postToWorker(core) }
    var word = slot.word.pointee.load(ordering: .relaxed)
    while true {
      if word & Word.biased != 0 {
        _ = unbias(thread)
        word = slot.word.pointee.load(ordering: .relaxed)
        continue
      }
      let desired = word | (word & Word.busy != 0 ? Word.pending : Word.busy)
      let (done, now) = slot.word.pointee.compareExchange(
        expected: word, desired: desired,
        successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if done { break }
      word = now
    }
    if word & Word.busy != 0 { return true }
    Gate.deepen()
    return !carryOn(core, hasQueued: true)
  }

  /// A chain of subjects that feed each other may be longer than the stack is deep: a worker goes on
  /// with it.
  private func postToWorker(_ core: Core) -> Bool {
    let gate = self
    var done = false
    while !done {
      _ = unbias(currentThread())
      let word = slot.word.pointee.load(ordering: .relaxed)
      if word & Word.biased != 0 { continue }
      (done, _) = slot.word.pointee.compareExchange(
        expected: word, desired: word | Word.pending, ordering: .acquiringAndReleasing)
    }
    BackgroundScheduler(priority: 0, name: nil).schedule(
      ClosureJob { gate.carryOnIfParked(core) })
    return true
  }

  /// The queue, oldest first.
  private func takeQueue() -> UInt {
    var newest = slot.queue.pointee.exchange(0, ordering: .acquiring)
    var oldest: UInt = 0
    while let node = Waiting(newest) {
      newest = node.next.pointee
      node.next.pointee = oldest
      oldest = UInt(bitPattern: node.base)
    }
    return oldest
  }

  @inline(__always)
  static func deepen() {
    let thread = currentThread()
    thread.pointee.depth = thread.pointee.depth &+ 1
  }

  /// Takes note that this thread is no longer inside, however it had come in.
  @inline(__always)
  func surface(_ thread: Thread) {
    if isTop(thread) {
      rac_shim_unhold(thread)
    } else {
      thread.pointee.depth = thread.pointee.depth &- 1
    }
  }
}
