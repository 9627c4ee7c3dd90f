import CRACShims
import Synchronization

/// An operation on whatever stands behind a gate.
enum Operation: UInt8 {
  case next, error, completed
  /// A sink joins or leaves a source.
  case add, remove
  /// The source goes away: every sink is let go without an event.
  case close
  /// A timer of an operator fired.
  case fire
}

/// The one ordering mechanism: whoever is inside applies operations one at a time; whoever comes
/// meanwhile leaves its operation in the queue and goes on. Nobody waits, and no lock is held while
/// a callback runs.
///
/// Enter with one compare-and-swap, leave with one. A gate lives in a slot, so that looking a handle
/// up and entering its gate are the same compare-and-swap.
struct Gate {
  let slot: Slot
  let index: UInt32

  init() { (slot, index) = Slots.allocate() }

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
    slot.word.pointee.store(word, ordering: .releasing)
    Slots.free(slot, index)
  }

  /// True: the caller is inside and must leave. False: somebody else is, or this thread already, or
  /// work was parked that comes first, or this thread is too deep in other gates.
  /// The caller keeps the object behind the gate alive.
  @inline(__always)
  func enter() -> Bool {
    let thread = currentThread()
    if thread.pointee.depth >= Thread.deepest { return false }
    var word = slot.word.pointee.load(ordering: .relaxed)
    while word & (Word.busy | Word.pending) == 0 {
      let (done, now) = slot.word.pointee.weakCompareExchange(
        expected: word, desired: word | Word.busy,
        successOrdering: .acquiring, failureOrdering: .relaxed)
      if done {
        thread.pointee.depth = thread.pointee.depth &+ 1
        return true
      }
      word = now
    }
    return false
  }

  /// True when an operation came while the gate was held: look at every sink before calling it.
  @inline(__always)
  var isDisturbed: Bool { slot.word.pointee.load(ordering: .relaxed) & Word.pending != 0 }

  /// Leaves, after applying what was queued meanwhile.
  @inline(__always)
  func leave(_ core: Core) {
    let word = slot.word.pointee.load(ordering: .relaxed)
    if word & (Word.pending | Word.closing) == 0 {
      let (done, _) = slot.word.pointee.compareExchange(
        expected: word, desired: word & ~Word.busy,
        successOrdering: .releasing, failureOrdering: .relaxed)
      if done {
        Gate.surface()
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
  private func carryOn(_ core: Core, hasQueued: Bool) -> Bool {
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

  /// False when the word has changed meanwhile.
  private func leave(_ word: UInt64, keeping flags: UInt64) -> Bool {
    let (free, dropsObject) = Handles.left(word)
    let (done, _) = slot.word.pointee.compareExchange(
      expected: word, desired: free | flags,
      successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
    guard done else { return false }
    Gate.surface()
    if dropsObject { Handles.finalize(slot) }
    return true
  }

  private static let patience = 1024

  /// Leaves with work undone: free, but pending, so that nobody gets in without doing it first.
  private func park(_ core: Core, _ list: UInt) {
    core.parked = list
    let gate = self
    // Made before leaving: afterwards the core may be somebody else's to free.
    let job = ClosureJob { gate.carryOnIfParked(core) }
    while !leave(slot.word.pointee.load(ordering: .acquiring), keeping: Word.pending) {}
    BackgroundScheduler(priority: 0, name: nil).schedule(job)
  }

  private func carryOnIfParked(_ core: Core) {
    var word = slot.word.pointee.load(ordering: .relaxed)
    while word & Word.busy == 0, word & Word.pending != 0 {
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

  /// Leaves an operation for the thread inside; if that one has just left, applies it here.
  /// True when it was left for somebody else.
  @inline(never)
  func post(_ core: Core, _ operation: Operation, _ sink: Sink?, _ value: Value) -> Bool {
    Waiting.push(to: slot.queue, operation, sink, value)
    if currentThread().pointee.depth >= Thread.deepest { return postToWorker(core) }
    var word = slot.word.pointee.load(ordering: .relaxed)
    while true {
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
    slot.word.pointee.bitwiseOr(Word.pending, ordering: .acquiringAndReleasing)
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

  @inline(__always)
  static func surface() {
    let thread = currentThread()
    thread.pointee.depth = thread.pointee.depth &- 1
  }
}

/// A queued operation: a block of raw memory that owns its sink and its value.
struct Waiting {
  let base: UnsafeMutableRawPointer

  init?(_ address: UInt) {
    guard let base = UnsafeMutableRawPointer(bitPattern: address) else { return nil }
    self.base = base
  }

  var next: UnsafeMutablePointer<UInt> { base.assumingMemoryBound(to: UInt.self) }
  private var sink: UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    (base + 8).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
  private var value: UnsafeMutablePointer<Value> {
    (base + 16).assumingMemoryBound(to: Value.self)
  }
  /// The thread that queued it.
  var sender: UnsafeMutablePointer<UInt> { (base + 32).assumingMemoryBound(to: UInt.self) }
  private var operation: UnsafeMutablePointer<UInt8> {
    (base + 40).assumingMemoryBound(to: UInt8.self)
  }

  static func push(
    to queue: UnsafeMutablePointer<Atomic<UInt>>, _ operation: Operation, _ sink: Sink?,
    _ value: Value
  ) {
    let address = UInt(bitPattern: rac_shim_allocate(48))
    let node = Waiting(address).unsafelyUnwrapped
    node.operation.pointee = operation.rawValue
    node.sender.pointee = currentThread().token
    node.sink.pointee = sink.map { Unmanaged.passRetained($0).toOpaque() }
    node.value.pointee = value.retained()
    var head = queue.pointee.load(ordering: .relaxed)
    while true {
      node.next.pointee = head
      let (done, now) = queue.pointee.weakCompareExchange(
        expected: head, desired: address, successOrdering: .releasing, failureOrdering: .relaxed)
      if done { return }
      head = now
    }
  }

  func apply(to core: Core) {
    let sink = self.sink.pointee.map { Unmanaged<Sink>.fromOpaque($0).takeRetainedValue() }
    core.apply(Operation(rawValue: operation.pointee) ?? .close, sink, value.pointee)
    value.pointee.release()
    rac_shim_free(base)
  }
}
