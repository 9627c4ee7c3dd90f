import CRACShims
import Synchronization

/// Events on their way to a scheduler, with the job that carries them: however many gather before its
/// turn comes, it is scheduled once.
///
/// One thread at a time puts events in, one at a time takes them out. They lie in chunks of raw memory;
/// the count of those put in and not yet taken out is all that both sides write.
final class DeliveryLine: Job {
  let subscription: Scope
  private let scheduler: Scheduler
  /// Whoever raises it from 0 schedules the job.
  private let count = Atomic<Int>(0)
  /// A used chunk, for the next time that one is full.
  private let spare = Atomic<UInt>(0)
  private var putting: Chunk? = nil
  private var taking: Chunk? = nil
  /// The scheduler's own: the last turns found several events.
  private var isStreaming = false
  /// The scheduler's own: how many events are left of a turn that was cut.
  private var leftOfTurn = 0
  /// The scheduler's own, after the first event was put in.
  private var downstream: Sink?

  init(_ scheduler: Scheduler, _ downstream: Sink) {
    self.scheduler = scheduler
    self.downstream = downstream
    subscription = downstream.scope
  }

  @inline(__always)
  func put(_ operation: Operation, _ value: Value) {
    var event = value.retained()
    // Not a part of the value that anybody reads.
    event.reserved = UInt16(operation.rawValue)
    if let chunk = putting, chunk.filled.pointee < chunk.capacity {
      chunk.add(event)
    } else {
      extend().add(event)
    }
    // Not held by the scope: what waits has to be let go on the scheduler even after disposal.
    if count.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 {
      scheduler.schedule(self)
    }
  }

  /// Nothing waits, nothing is being delivered. Asked by the side that puts events in, which may then
  /// deliver one itself.
  var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  /// In place of putting in a close, when the line is empty.
  func letGo() { downstream = nil }

  /// A new chunk behind the full one.
  @inline(never)
  private func extend() -> Chunk {
    let fresh: Chunk
    if let used = Chunk(spare.exchange(0, ordering: .acquiring)) {
      fresh = used
    } else {
      fresh = Chunk.make(putting.map { min(128, $0.capacity &* 2) } ?? Chunk.least)
    }
    if let putting { putting.next.pointee = fresh.address } else { taking = fresh }
    putting = fresh
    return fresh
  }

  /// A turn. The job comes again and again, so it has no end of its own.
  override func perform() {
    while takeTurn(Portion.share, .max).isCut {}
  }

  /// Without a limit a turn is all that waits.
  override func perform(atMost limit: Int) -> Portion {
    takeTurn(limit == .max ? .max : Portion.share, limit)
  }

  /// What waits when the turn begins, but at most a share; less when the limit comes first.
  private func takeTurn(_ share: Int, _ limit: Int) -> Portion {
    let waiting = count.load(ordering: .acquiring)
    let turn = min(waiting, leftOfTurn > 0 && share != .max ? leftOfTurn : share)
    let (taken, heard) = deliver(turn, limit)
    leftOfTurn = turn &- taken
    if leftOfTurn == 0 { linger(taken) }
    let left = count.wrappingSubtract(taken, ordering: .acquiringAndReleasing).newValue
    let isCut = left > 0 && (leftOfTurn > 0 || scheduler === Scheduler.immediate)
    if left > 0 && !isCut { scheduler.schedule(self) }
    return Portion(count: heard, isCut: isCut)
  }

  /// The scheduler takes no more work: nothing can arrive any more.
  override func drop() { subscription.close() }

  /// In the middle of a stream more is coming: less than a microsecond now saves both sides the
  /// handing over of every other event.
  private func linger(_ taken: Int) {
    if !isStreaming {
      isStreaming = taken > 1
      return
    }
    if count.load(ordering: .relaxed) > taken { return }
    var pauses = 20
    while pauses > 0 {
      rac_shim_pause()
      pauses &-= 1
    }
    isStreaming = count.load(ordering: .relaxed) > taken
  }

  /// Takes out at most `many` events, and no more of them than `limit` that somebody hears.
  private func deliver(_ many: Int, _ limit: Int) -> (taken: Int, heard: Int) {
    var taken = 0
    var heard = 0
    while taken < many && heard < limit {
      let next = min(many &- taken, limit &- heard)
      taken &+= next
      heard &+= next &- deliver(next)
    }
    while taken < many && !willHearNext {
      taken &+= 1
      _ = deliver(1)
    }
    return (taken, heard)
  }

  /// Takes out so many events; how many of them nobody heard: what comes after disposal, and the close.
  private func deliver(_ many: Int) -> Int {
    // The line holds it until the close has been taken out, behind which there is nothing.
    guard var chunk = taking, let sink = downstream.map(Unmanaged.passUnretained) else {
      return many
    }
    var left = many
    var unheard = 0
    while left > 0 {
      if chunk.read.pointee == chunk.capacity {
        guard let next = Chunk(chunk.next.pointee) else { return unheard }
        recycle(chunk)
        chunk = next
        taking = next
      }
      let event = chunk.take()
      switch event.reserved {
      case UInt16(Operation.next.rawValue):
        if subscription.isActive {
          sink._withUnsafeGuaranteedRef { $0.next(event.plain) }
        } else {
          unheard &+= 1
        }
      case UInt16(Operation.error.rawValue):
        if subscription.isActive {
          sink._withUnsafeGuaranteedRef { $0.error(event.plain) }
        } else {
          unheard &+= 1
        }
      case UInt16(Operation.completed.rawValue):
        if subscription.isActive {
          sink._withUnsafeGuaranteedRef { $0.completed() }
        } else {
          unheard &+= 1
        }
      default:
        downstream = nil
        unheard &+= 1
      }
      event.release()
      left &-= 1
    }
    return unheard
  }

  /// There is a next event.
  private var willHearNext: Bool {
    guard var chunk = taking, subscription.isActive else { return false }
    if chunk.read.pointee == chunk.capacity { chunk = Chunk(chunk.next.pointee) ?? chunk }
    return chunk.first.reserved != UInt16(Operation.close.rawValue)
  }

  private func recycle(_ chunk: Chunk) {
    if chunk.capacity < 128 { return chunk.free() }
    chunk.clear()
    Chunk(spare.exchange(chunk.address, ordering: .acquiringAndReleasing))?.free()
  }

  deinit {
    // What both sides did last is seen here.
    var left = count.load(ordering: .acquiring)
    while let chunk = taking {
      while left > 0, chunk.read.pointee < chunk.filled.pointee {
        chunk.take().release()
        left &-= 1
      }
      taking = Chunk(chunk.next.pointee)
      chunk.free()
    }
    Chunk(spare.load(ordering: .acquiring))?.free()
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(downstream) }
}

extension Value {
  /// Without the mark of a line.
  fileprivate var plain: Value {
    @inline(__always) get {
      var value = self
      value.reserved = 0
      return value
    }
  }
}

/// Raw memory with room for some events. Filled by one thread, read by another.
private struct Chunk {
  private static let header = 24
  let base: UnsafeMutableRawPointer

  init?(_ address: UInt) {
    guard let base = UnsafeMutableRawPointer(bitPattern: address) else { return nil }
    self.base = base
  }

  static let least: UInt32 = 4

  /// Of that capacity, or of the least where there is no memory for it.
  static func make(_ capacity: UInt32) -> Chunk {
    if let block = rac_shim_allocate_checked(size(capacity)) { return Chunk(block, capacity) }
    return Chunk(rac_shim_allocate(size(least)).unsafelyUnwrapped, least)
  }

  private static func size(_ capacity: UInt32) -> Int { header &+ Int(capacity) &* 16 }

  private init(_ base: UnsafeMutableRawPointer, _ capacity: UInt32) {
    self.base = base
    (base + 16).assumingMemoryBound(to: UInt32.self).pointee = capacity
    clear()
  }

  func clear() {
    next.pointee = 0
    filled.pointee = 0
    read.pointee = 0
  }

  func free() { rac_shim_free(base) }

  var address: UInt { UInt(bitPattern: base) }
  /// Written once, before an event in the next chunk is counted.
  var next: UnsafeMutablePointer<UInt> { base.assumingMemoryBound(to: UInt.self) }
  /// How many were put in: the one side's own.
  var filled: UnsafeMutablePointer<UInt32> { (base + 8).assumingMemoryBound(to: UInt32.self) }
  /// How many were taken out: the other side's own.
  var read: UnsafeMutablePointer<UInt32> { (base + 12).assumingMemoryBound(to: UInt32.self) }
  var capacity: UInt32 { (base + 16).assumingMemoryBound(to: UInt32.self).pointee }

  private func event(_ index: UInt32) -> UnsafeMutablePointer<Value> {
    (base + (Chunk.header &+ Int(index) &* 16)).assumingMemoryBound(to: Value.self)
  }

  @inline(__always)
  func add(_ value: Value) {
    event(filled.pointee).pointee = value
    filled.pointee = filled.pointee &+ 1
  }

  /// The one that is next to be taken out.
  var first: Value {
    @inline(__always) get { event(read.pointee).pointee }
  }

  @inline(__always)
  func take() -> Value {
    let value = event(read.pointee).pointee
    read.pointee = read.pointee &+ 1
    return value
  }
}
