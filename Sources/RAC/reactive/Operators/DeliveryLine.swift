import CRACShims
import Synchronization

/// Events on their way to a scheduler. A single-producer, single-consumer queue of linked chunks.
///
/// One thread at a time puts events in, one at a time takes them out. They lie in chunks of raw
/// memory; the count of those put in and not yet taken out is all that both sides write.
final class DeliveryLine: Delivery {
  // The scheduler's side: the next event to take out, and how many places there are from there on.
  @exclusivity(unchecked) private var taking: Chunk? = nil
  @exclusivity(unchecked) private var reading: UnsafeMutablePointer<Value>? = nil
  @exclusivity(unchecked) private var unread: Int32 = 0
  private var lingering = Lingering()

  /// For sources above it. The count is compared with the mark when a chunk is full, and at the end
  /// of a turn.
  private let brake = Brake(.deliverOn)
  /// A used chunk, for the next time that one is full.
  private let spare = Atomic<UInt>(0)
  /// Each side writes its own with every event: they lie on different lines of the cache. With all
  /// of it an object has less than 256 bytes, the most that the pool gives.
  private let between: Int = 0
  private let mailbox: UnsafeRawPointer?

  // Of the side that puts events in: where the next one goes, and how many more there is room for.
  @exclusivity(unchecked) private var putting: Chunk? = nil
  @exclusivity(unchecked) private var writing: UnsafeMutablePointer<Value>? = nil
  @exclusivity(unchecked) private var room: Int32 = 0
  /// The last event found nothing before it: so will the next one, and the job will be scheduled.
  @exclusivity(unchecked) private var foundNothing = false
  private let isMarked: Bool
  /// The thread that raises it from 0 schedules the job.
  private let count = Atomic<Int>(0)

  init(_ scheduler: Scheduler, _ downstream: Sink, isMarked: Bool = true) {
    mailbox = scheduler.mailbox
    self.isMarked = isMarked && scheduler !== Scheduler.immediate && Mark.isOn
    super.init(scheduler, downstream)
  }

  /// See `Sink.holds`.
  func holds(_ question: Question) -> Bool {
    guard isMarked, brake.holds(question) else { return false }
    if case .holder = question { return isHeldItself(question) }
    return true
  }

  /// By a place below that, where there is one, and it rests itself.
  @inline(never)
  private func isHeldItself(_ question: Question) -> Bool {
    if hold?.isListed == true { _ = asks(question) }
    return true
  }

  @inline(__always)
  func put(_ operation: Operation, _ value: Value) {
    var event = value.retained()
    // Not a part of the value that anybody reads.
    event.reserved = UInt16(operation.rawValue)
    if foundNothing { prefetch() }
    if room == 0 { extend() }
    let place = writing.unsafelyUnwrapped
    place.pointee = event
    writing = place + 1
    room &-= 1
    if operation == .next { rac_shim_count_queued(1) }
    // Two lines of the cache ahead, once for each line: the events there were read by the other
    // side.
    if room & 3 == 0 { rac_shim_prefetch_to_write(place + 8) }
    // Not held by the scope: events that wait are let go on the scheduler even after disposal.
    let before = count.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
    foundNothing = before == 0
    if before == 0 { scheduler.schedule(self) }
  }

  /// The lines that are about to be written were last in the other side's cache: they are fetched
  /// together rather than one after the other.
  private func prefetch() {
    withUnsafePointer(to: count) { rac_shim_prefetch_to_write($0) }
    rac_shim_prefetch_to_write(Unmanaged.passUnretained(self).toOpaque())
    if let mailbox { rac_shim_prefetch_to_write(mailbox) }
  }

  /// Nothing waits, nothing is being delivered. Asked by the side that puts events in, which may
  /// then deliver one itself.
  var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  /// Before the first event.
  func keep(_ contexts: Object) { contextsAbove = contexts }

  /// A new chunk behind the full one.
  private func extend() {
    if isMarked, count.load(ordering: .relaxed) >= Mark.values { putOnBrake() }
    let fresh: Chunk
    if let used = Chunk(spare.exchange(0, ordering: .acquiring)) {
      fresh = used
    } else {
      fresh = Chunk.make(putting.map { min(Chunk.most, $0.capacity &* 2) } ?? Chunk.least)
    }
    if let putting { putting.next.pointee = fresh.address } else { begin(fresh) }
    putting = fresh
    writing = fresh.first
    room = Int32(truncatingIfNeeded: fresh.capacity)
  }

  @inline(never)
  private func putOnBrake() {
    brake.putOn(count.load(ordering: .relaxed))
    // The other side may have found it off, and nothing more to take.
    releaseIfHalfEmpty(count.load(ordering: .sequentiallyConsistent))
  }

  private func releaseIfHalfEmpty(_ left: Int) {
    brake.tell(left, ofHalf: Mark.values / 2).resume()
  }

  private func begin(_ chunk: Chunk) {
    taking = chunk
    reading = chunk.first
    unread = Int32(truncatingIfNeeded: chunk.capacity)
  }

  override func takeTurn(_ share: Int, _ limit: Int) -> Portion {
    let waiting = count.load(ordering: .acquiring)
    let turn = min(waiting, leftOfTurn > 0 && share != .max ? leftOfTurn : share)
    if mayBeHeld { return takeTurnAsking(turn, limit) }
    let (taken, heard) = deliver(turn, limit)
    leftOfTurn = turn &- taken
    if leftOfTurn == 0 { linger(taken) }
    // In the middle of a stream the next place is the one that is being written to.
    scheduler.expect(taken == 1 ? reading : nil)
    let left = count.wrappingSubtract(taken, ordering: .sequentiallyConsistent).newValue
    releaseIfHalfEmpty(left)
    let isCut = left > 0 && (leftOfTurn > 0 || scheduler === Scheduler.immediate)
    if left > 0 && !isCut { scheduler.schedule(self) }
    return Portion(count: heard, isCut: isCut)
  }

  /// The same, one event after another, as long as there is room below.
  @inline(never)
  private func takeTurnAsking(_ turn: Int, _ limit: Int) -> Portion {
    var taken = 0
    var heard = 0
    var isHeld = false
    while taken < turn && heard < limit {
      isHeld = self.isHeld
      if isHeld { break }
      taken &+= 1
      heard &+= 1 &- deliver(1)
    }
    let left = count.wrappingSubtract(taken, ordering: .sequentiallyConsistent).newValue
    releaseIfHalfEmpty(left)
    if isHeld { return endHeld(heard) }
    leftOfTurn = turn &- taken
    let isCut = left > 0 && leftOfTurn > 0
    if left > 0 && !isCut { goOn() }
    return Portion(count: heard, isCut: isCut)
  }

  /// Batching delay: in the middle of a stream more is coming. Taking out each event as soon as it
  /// is there moves the cache line with the count back and forth for each, and the thread falls
  /// asleep in between. A microsecond in which some gather, without a look, saves both sides many
  /// times that.
  private func linger(_ taken: Int) {
    guard lingering.isDue(taken) else { return }
    lingering.wait()
    lingering.learn(count.load(ordering: .relaxed) > taken)
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

  /// Takes out so many events; how many of them nobody heard: those after a disposal, and the
  /// close.
  private func deliver(_ many: Int) -> Int {
    // The line holds it until the close has been taken out, behind which there is nothing.
    guard let sink = downstream.map(Unmanaged.passUnretained) else { return many }
    rac_shim_count_queued(0 &- Int64(many))
    var left = many
    var unheard = 0
    while left > 0 {
      let event = take()
      if event.reserved == UInt16(Operation.next.rawValue) {
        if subscription.isActive {
          sink._withUnsafeGuaranteedRef { $0.next(event.plain) }
        } else {
          unheard &+= 1
        }
      } else if !deliverEnd(event, to: sink) {
        unheard &+= 1
      }
      event.release()
      left &-= 1
    }
    return unheard
  }

  /// Delivers an event that is no value, and was not counted as one that waits. True if the sink
  /// heard it.
  @inline(never)
  private func deliverEnd(_ event: Value, to sink: Unmanaged<Sink>) -> Bool {
    rac_shim_count_queued(1)
    if event.reserved == UInt16(Operation.close.rawValue) {
      letGo()
      return false
    }
    guard subscription.isActive else { return false }
    sink._withUnsafeGuaranteedRef {
      if event.reserved == UInt16(Operation.error.rawValue) {
        $0.error(event.plain)
      } else {
        $0.completed()
      }
    }
    return true
  }

  /// There is a next event.
  private var willHearNext: Bool {
    if !subscription.isActive { return false }
    if unread == 0 { turnOver() }
    return reading.unsafelyUnwrapped.pointee.reserved != UInt16(Operation.close.rawValue)
  }

  /// The next event, which there is.
  private func take() -> Value {
    if unread == 0 { turnOver() }
    let place = reading.unsafelyUnwrapped
    reading = place + 1
    unread &-= 1
    return place.pointee
  }

  /// To the chunk behind the one that is empty.
  private func turnOver() {
    let empty = taking.unsafelyUnwrapped
    begin(Chunk(empty.next.pointee).unsafelyUnwrapped)
    recycle(empty)
  }

  private func recycle(_ chunk: Chunk) {
    if chunk.capacity < Chunk.most { return chunk.free() }
    chunk.next.pointee = 0
    Chunk(spare.exchange(chunk.address, ordering: .acquiringAndReleasing))?.free()
  }

  deinit {
    // The last steps of both sides are seen here.
    var left = count.load(ordering: .acquiring)
    while left > 0 {
      let event = take()
      if event.reserved == UInt16(Operation.next.rawValue) { rac_shim_count_queued(-1) }
      event.release()
      left &-= 1
    }
    taking?.free()
    Chunk(spare.load(ordering: .acquiring))?.free()
  }

  /// The caller sees to it that no event comes meanwhile. If none waits either, no thread uses the
  /// sink below; the end is delivered in its turn.
  func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    guard isEmpty, let downstream else { return false }
    return downstream.goesAtEnd(withValue: withValue, &visitor)
  }

  override func visit(_ visitor: inout Visitor) {
    // Reference counts order what a turn left that is over: this load shows it to ThreadSanitizer.
    _ = count.load(ordering: .acquiring)
    visitor.reference(downstream)
    visitor.reference(contextsAbove)
  }
}

extension Value {
  /// Without the mark of a line.
  fileprivate var plain: Value {
    var value = self
    value.reserved = 0
    return value
  }
}

/// Whether a batching delay pays. After one in vain, twice as many turns have to have found several
/// events before the next try: exponential backoff.
private struct Lingering {
  /// So many together are worth the fetching.
  private static let enough = 128
  /// Nanoseconds.
  private static let moment: Int64 = 1_200
  private static let highest: UInt16 = 64

  private var turns: UInt16 = 1
  private var price: UInt16 = 1

  /// After a turn that took out so many.
  mutating func isDue(_ taken: Int) -> Bool {
    if turns == 0 { return taken < Lingering.enough }
    if taken > 1 { turns &-= 1 }
    return false
  }

  func wait() { rac_shim_stay_awake(Lingering.moment) }

  mutating func learn(_ hasMore: Bool) {
    if hasMore {
      price = 1
    } else {
      turns = price
      price = min(Lingering.highest, price &* 2)
    }
  }
}

/// Raw memory with room for some events. Filled by one thread, read by another.
private struct Chunk {
  static let least = 4
  static let most = 128
  /// The next chunk, and the capacity.
  private static let header = 16

  private let base: UnsafeMutableRawPointer

  init?(_ address: UInt) {
    guard let base = UnsafeMutableRawPointer(bitPattern: address) else { return nil }
    self.base = base
  }

  /// Of that capacity, or of the least where there is no memory for it.
  static func make(_ capacity: Int) -> Chunk {
    if let block = rac_shim_allocate_checked(size(capacity)) { return Chunk(block, capacity) }
    return Chunk(rac_shim_allocate(size(least)).unsafelyUnwrapped, least)
  }

  private static func size(_ capacity: Int) -> Int { header &+ capacity &* 16 }

  private init(_ base: UnsafeMutableRawPointer, _ capacity: Int) {
    self.base = base
    (base + 8).assumingMemoryBound(to: Int.self).pointee = capacity
    next.pointee = 0
  }

  func free() { rac_shim_free(base) }

  var address: UInt { UInt(bitPattern: base) }
  /// Written once, before an event in the next chunk is counted.
  var next: UnsafeMutablePointer<UInt> { base.assumingMemoryBound(to: UInt.self) }
  var capacity: Int { (base + 8).assumingMemoryBound(to: Int.self).pointee }
  var first: UnsafeMutablePointer<Value> {
    (base + Chunk.header).assumingMemoryBound(to: Value.self)
  }
}
