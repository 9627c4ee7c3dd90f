import CRACShims
import Synchronization

/// The one ordering mechanism: flat combining (Hendler, Incze, Shavit, Tzafrir 2010). The thread
/// inside, the combiner, applies operations one at a time; a thread that comes meanwhile publishes
/// its operation in the queue and goes on. Nobody waits, and no lock is held while a callback runs.
///
/// A gate lies in a slot, so that looking a handle up and entering its gate are one step: a
/// compare-and-swap of the slot's word, and another one to leave. docs/Concurrency.md says why that
/// is sound, and `Tests/model` checks it.
struct Gate {
  let slot: Slot

  init() { slot = Slots.allocate() }

  private init(in slot: Slot) { self.slot = slot }

  /// Only once nobody can enter any more.
  func free() { Slots.free(slot) }

  // MARK: Entering

  /// nil: a thread is inside, perhaps this one; or parked work comes first; or this thread is too
  /// deep in other gates. The caller keeps the object behind the gate alive.
  @inline(__always)
  func enter() -> Hold? {
    let thread = currentThread()
    return thread.isShallow || !thread.isDeepest ? enter(thread) : nil
  }

  @inline(__always)
  private func enter(_ thread: Thread) -> Hold? {
    var word = slot.word.pointee.load(ordering: .relaxed)
    while word & (Word.busy | Word.pending) == 0 {
      let (done, now) = slot.word.pointee.weakCompareExchange(
        expected: word, desired: word | Word.busy,
        successOrdering: .acquiring, failureOrdering: .relaxed)
      if done { return Hold(self, thread, word) }
      word = now
    }
    return nil
  }

  /// The same through a handle, which may be garbage and may go stale at any time. The hold keeps
  /// the object. nil: the slow path decides.
  @inline(__always)
  static func enter(by handle: OpaquePointer?) -> Hold? {
    let number = UInt64(UInt(bitPattern: handle))
    guard number & Slots.strayBits == 0 else { return nil }
    let slot = Slots.named(number)
    // A thread without a record of its own gets one that is too deep.
    let thread = rac_shim_thread_if_any().unsafelyUnwrapped
    let word = slot.word.pointee.load(ordering: .relaxed)
    let expected =
      number &<< (38 &- Slots.generationShift) & Word.generations | Word.published
    guard (word ^ expected) & (Word.generations | Word.flags) == 0, thread.isShallow else {
      return nil
    }
    let (entered, _) = slot.word.pointee.compareExchange(
      expected: word, desired: word | Word.busy,
      successOrdering: .acquiring, failureOrdering: .relaxed)
    return entered ? Hold(Gate(in: slot), thread, word) : nil
  }

  /// For a gate that no other thread knows yet: works at any depth in other gates.
  func enterFirst() -> Hold {
    let word = slot.word.pointee.bitwiseOr(Word.busy, ordering: .acquiring).oldValue
    return Hold(self, currentThread(), word)
  }

  /// The right of the thread inside, and its duty to leave.
  struct Hold {
    let gate: Gate
    let thread: Thread
    /// The slot's word as this thread found it: free.
    private let word: UInt64

    fileprivate init(_ gate: Gate, _ thread: Thread, _ word: UInt64) {
      self.gate = gate
      self.thread = thread
      self.word = word
      thread.deepen()
    }

    /// Leaves, after applying the operations queued meanwhile; an unchanged word shows that there
    /// are none. RAC_OK; RAC_QUEUED when a worker gets them, because there is no stack for them
    /// here.
    @discardableResult
    func leave(_ core: Core) -> rac_status { leaveAtOnce() ? Status.ok : gate.leave(core) }

    /// Leaves if the word is unchanged. False: then `Gate.leave` is due.
    func leaveAtOnce() -> Bool {
      // Added, and not set: so the compiler need not keep another word in a register meanwhile.
      let (done, _) = gate.slot.word.pointee.compareExchange(
        expected: word &+ Word.busy, desired: word,
        successOrdering: .releasing, failureOrdering: .relaxed)
      if done { thread.surface() }
      return done
    }
  }

  /// True when an operation came while the gate was held: look at every sink before calling it.
  var isDisturbed: Bool { slot.word.pointee.load(ordering: .relaxed) & Word.pending != 0 }

  // MARK: Carrying on

  /// Leaves if no operation came meanwhile. False: there is work to do first.
  @inline(never)
  func leaveIfUndisturbed() -> Bool {
    var word = slot.word.pointee.load(ordering: .relaxed)
    // Only the counts of references or pins have changed.
    while word & (Word.pending | Word.closing) == 0 {
      let (done, now) = slot.word.pointee.weakCompareExchange(
        expected: word, desired: word & ~Word.busy,
        successOrdering: .releasing, failureOrdering: .relaxed)
      if done {
        currentThread().surface()
        return true
      }
      word = now
    }
    return false
  }

  /// Leaves, in any state of the word; also for a caller that did not keep the hold.
  @inline(never)
  @discardableResult
  func leave(_ core: Core) -> rac_status {
    if leaveIfUndisturbed() { return Status.ok }
    // Before leaving: afterwards another thread may free the core.
    let isCramped = core.isCramped
    return !carryOn(core, hasQueued: false) && isCramped ? Status.queued : Status.ok
  }

  /// Applies the parked operations, the queued ones, and those that come meanwhile; then leaves.
  ///
  /// This thread applies all operations that it queued itself. In a ring that may have no end, so
  /// it asks now and then whether to stop. For other threads it applies only `patience` operations,
  /// then parks the rest and leaves. The next sender goes on with these, and so feels the load it
  /// makes; if none comes, a worker does. When the stack is too short it parks at once. True when
  /// all was done, false when some was parked.
  private func carryOn(_ core: Core, hasQueued: Bool) -> Bool {
    let me = currentThread().token
    var oldest = core.parked
    core.parked = 0
    var hasQueued = hasQueued
    var foreign = 0
    var own = 0
    while true {
      while let node = QueuedOperation(oldest) {
        if node.sender.pointee != me {
          foreign &+= 1
        } else {
          own &+= 1
          if own % Gate.patience == 0 { core.askWhetherToStop() }
        }
        if foreign > Gate.patience || core.isCramped {
          park(core, oldest)
          return false
        }
        oldest = node.next.pointee
        node.apply(to: core)
      }
      let word = slot.word.pointee.load(ordering: .relaxed)
      if hasQueued || word & Word.pending != 0 {
        hasQueued = false
        // Before the queue is taken: a later push sets the bit again.
        slot.word.pointee.bitwiseAnd(~Word.pending, ordering: .acquiring)
        oldest = takeQueue()
      } else if leave(word, keeping: 0) {
        return true
      }
    }
  }

  /// False when the word has changed meanwhile, so that there may be more to do.
  private func leave(_ word: UInt64, keeping flags: UInt64) -> Bool {
    let (free, remains) = slot.left(word & ~Word.busy)
    let (done, _) = slot.word.pointee.compareExchange(
      expected: word, desired: free | flags,
      successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
    guard done else { return false }
    currentThread().surface()
    Handles.finalize(remains)
    return true
  }

  private static let patience = 1024

  /// Leaves with work undone: free, but pending, so that nobody gets in without doing it first.
  private func park(_ core: Core, _ list: UInt) {
    core.parked = list
    // Made before leaving: afterwards another thread may free the core.
    let rest = rest(of: core)
    // Counted as inside until the worker has it, for threads that look whether anything waits.
    let thread = currentThread()
    thread.deepen()
    while !leave(slot.word.pointee.load(ordering: .relaxed), keeping: Word.pending) {}
    Worker.run(rest)
    thread.surface()
  }

  /// Keeps the core until it has run.
  @inline(never)
  private func rest(of core: Core) -> () -> Void { { core.gate.carryOnIfParked(core) } }

  private func carryOnIfParked(_ core: Core) {
    var word = slot.word.pointee.load(ordering: .relaxed)
    while word & (Word.busy | Word.pending) == Word.pending {
      let (done, now) = slot.word.pointee.weakCompareExchange(
        expected: word, desired: word | Word.busy,
        successOrdering: .acquiring, failureOrdering: .relaxed)
      if done {
        currentThread().deepen()
        _ = carryOn(core, hasQueued: true)
        return core.afterLeaving()
      }
      word = now
    }
  }

  // MARK: Queueing

  /// Leaves an operation for the thread inside, which may be this one, further up the stack; if
  /// that has just left, applies it here. True when it was left for the thread inside.
  ///
  /// A chain of subjects that feed each other may be longer than the stack is deep: then the
  /// operation is parked. So is a disposal with next to no stack left: no thread gets in before it.
  @inline(never)
  func post(_ core: Core, _ operation: Operation, _ object: Object?, _ value: Value) -> Bool {
    switch core.divert(operation, object, value) {
    case .inQueue:
      push(operation, object, value)
      return knock(core)
    case .inLine:
      push(.fire, nil, .null)
      return knock(core, holdsLine: true)
    case .inPlace: return true
    }
  }

  /// Puts an operation into the queue without looking at the word. `knock` has to follow.
  func push(_ operation: Operation, _ object: Object?, _ value: Value) {
    QueuedOperation.push(to: slot.queue, operation, object, value)
  }

  /// Has the queue applied: by the thread inside, if there is one, or here. True when it was left
  /// for the thread inside. `holdsLine`: tells the core once the thread inside is sure to look at
  /// the queue.
  func knock(_ core: Core, holdsLine: Bool = false) -> Bool {
    let thread = currentThread()
    let isDeep = thread.isDeepest || core.isCramped || Stack.isShort
    if isDeep { thread.deepen() }
    defer { if isDeep { thread.surface() } }
    var word = slot.word.pointee.load(ordering: .relaxed)
    while true {
      // Done even if it changes no bit: this step is ordered before or after the combiner's.
      let flag = isDeep || word & Word.busy != 0 ? Word.pending : Word.busy
      let (done, now) = slot.word.pointee.weakCompareExchange(
        expected: word, desired: word | flag,
        successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if done { break }
      word = now
    }
    if holdsLine { core.hasPosted() }
    if word & Word.busy != 0 { return true }
    if isDeep {
      // A gate with something parked has its job already.
      if word & Word.pending == 0 { Worker.run(rest(of: core)) }
      return true
    }
    thread.deepen()
    return !carryOn(core, hasQueued: true)
  }

  /// The queue, oldest first.
  private func takeQueue() -> UInt {
    var newest = slot.queue.pointee.exchange(0, ordering: .acquiring)
    var oldest: UInt = 0
    while let node = QueuedOperation(newest) {
      newest = node.next.pointee
      node.next.pointee = oldest
      oldest = UInt(bitPattern: node.base)
    }
    return oldest
  }
}
