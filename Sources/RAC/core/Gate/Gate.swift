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

  @inline(__always)
  private init(in slot: Slot) { self.slot = slot }

  /// Only once nobody can enter any more.
  func free() { Slots.free(slot) }

  // MARK: Entering

  /// nil: somebody else is inside, or this thread already, or work was parked that comes first, or
  /// this thread is too deep in other gates. The caller keeps the object behind the gate alive.
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

  /// The same by way of a handle, which may be anything and go stale at any time. Once inside, the
  /// object is kept. nil: look closer.
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

  /// For a gate that nobody else knows of yet: however deep in others this thread is.
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

    @inline(__always)
    fileprivate init(_ gate: Gate, _ thread: Thread, _ word: UInt64) {
      self.gate = gate
      self.thread = thread
      self.word = word
      thread.deepen()
    }

    /// Leaves, after applying what was queued meanwhile. Nothing was if the word is still what this
    /// thread made it. RAC_OK; RAC_QUEUED when it is left to a worker, because there is no stack
    /// for it here.
    @inline(__always)
    @discardableResult
    func leave(_ core: Core) -> rac_status { leaveAtOnce() ? Status.ok : gate.leave(core) }

    /// False when it is not: then `Gate.leave` is due.
    @inline(__always)
    func leaveAtOnce() -> Bool {
      // Added, and not set: so the compiler does not keep what it has had in a register meanwhile.
      let (done, _) = gate.slot.word.pointee.compareExchange(
        expected: word &+ Word.busy, desired: word,
        successOrdering: .releasing, failureOrdering: .relaxed)
      if done { thread.surface() }
      return done
    }
  }

  /// True when an operation came while the gate was held: look at every sink before calling it.
  @inline(__always)
  var isDisturbed: Bool { slot.word.pointee.load(ordering: .relaxed) & Word.pending != 0 }

  // MARK: Carrying on

  /// Leaves if nobody left anything here meanwhile. False: there is something to be done first.
  @inline(never)
  func leaveIfUndisturbed() -> Bool {
    var word = slot.word.pointee.load(ordering: .relaxed)
    // Somebody retained the handle, or is using the object: that is all.
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

  /// Leaves whatever has become of the word meanwhile; also for whoever did not keep the hold.
  @inline(never)
  @discardableResult
  func leave(_ core: Core) -> rac_status {
    if leaveIfUndisturbed() { return Status.ok }
    // Before leaving: afterwards the core may be somebody else's to free.
    let isCramped = core.isCramped
    return !carryOn(core, hasQueued: false) && isCramped ? Status.queued : Status.ok
  }

  /// Applies the parked operations, the queued ones, and those that come meanwhile; then leaves.
  ///
  /// This thread delivers the operations that it queued itself, however many: a ring may do so for
  /// ever, and somebody is asked now and then. But a thread that happened to be inside is not to
  /// deliver for others without end: after so many operations of theirs it parks the rest and
  /// leaves. The next sender goes on with it, and so feels the load it makes; when nobody comes, a
  /// worker does. So it is at once when the stack is too short. True when all was done, false when
  /// some was parked.
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
        // Before the queue is taken: an operation that is pushed later is noted again.
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
    // Made before leaving: afterwards the core may be somebody else's to free.
    let rest = rest(of: core)
    // Inside until the worker has it, for those who look whether anything waits.
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

  /// Leaves an operation for the thread inside, which may be this one, further up; if that has just
  /// left, applies it here. True when it was left for somebody else.
  ///
  /// A chain of subjects that feed each other may be longer than the stack is deep: then the
  /// operation is parked. So is what somebody disposes of with next to no stack left: nobody gets
  /// in before it.
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

  /// Puts an operation into the queue without looking whether somebody is inside. `knock` has to
  /// follow.
  func push(_ operation: Operation, _ object: Object?, _ value: Value) {
    QueuedOperation.push(to: slot.queue, operation, object, value)
  }

  /// Has what was put into the queue applied: by the thread inside, if there is one, or here. True
  /// when it was left for somebody else. `holdsLine`: the core is told as soon as whoever is inside
  /// has to come by.
  @inline(never)
  func knock(_ core: Core, holdsLine: Bool = false) -> Bool {
    let thread = currentThread()
    let isDeep = thread.isDeepest || core.isCramped || Stack.isShort
    if isDeep { thread.deepen() }
    defer { if isDeep { thread.surface() } }
    var word = slot.word.pointee.load(ordering: .relaxed)
    while true {
      // Also where that changes nothing: it is this step that the holder comes before or after.
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
