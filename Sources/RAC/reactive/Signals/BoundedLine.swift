import CRACShims
import Synchronization

/// The line of operations that find a bounded gate taken.
///
/// No thread can look into the gate's own queue, or take an operation back from it. So operations
/// wait here, and for each a `fire` stands in the gate's queue, which means only "the next one": a
/// value that replaces another uses the other's `fire`, and takes its own place at the end of this
/// line. A sender puts in both under the lock, so there are as many of one as of the other. If the
/// gate's queue is empty, so is this: a thread that then finds the gate free overtakes no
/// operation, not even its own.
///
/// Only values are counted, and give way; ends, subscriptions and disposals keep their places among
/// them.
final class BoundedLine: BoundedStore {
  private var first: Held?
  private var last: Held?
  /// The values among them, in order.
  private var firstValue: Held?
  private var lastValue: Held?
  /// Room that arrays were promised which are being sent.
  private var promised = 0
  /// The error that says so is on its way.
  private var isOverflowing = false

  /// `isForced`: the value is taken although the sender should have waited. Where it is kept the
  /// lock is held from here on, and a `fire` is to be posted.
  func offer(_ value: Value, _ object: Object? = nil, isForced: Bool) -> BoundState.Answer {
    let fresh = Held(.next, object, value)
    var spent: Held? = nil
    bound.lock.lock()
    let answer =
      isOverflowing ? bound.drops() : bound.comes(waiting: count &+ promised, isForced: isForced)
    switch answer {
    case .kept: append(fresh)
    case .replaced:
      spent = takeFirstValue()
      append(fresh)
    default: spent = fresh
    }
    if answer == .overflow { isOverflowing = true }
    if answer == .kept { return answer }
    bound.lock.unlock()
    spent?.free()
    return answer
  }

  /// The `divert` of a core, for an operation that does not wait for room.
  func divert(_ operation: Operation, _ object: Object?, _ value: Value) -> Diversion {
    switch operation {
    // Stands for one that has just been put in.
    case .fire: return .inLine
    case .next:
      switch offer(value, object, isForced: true) {
      case .kept, .full: return .inLine
      case .replaced, .dropped: return .inPlace
      case .overflow:
        put(.error, nil, .overflow, isOwned: true)
        return .inLine
      }
    default:
      put(operation, object, value)
      return .inLine
    }
  }

  /// The lock is held afterwards.
  private func put(
    _ operation: Operation, _ object: Object?, _ value: Value, isOwned: Bool = false
  ) {
    let held = Held(operation, object, value)
    if isOwned { value.release() }
    bound.lock.lock()
    append(held)
  }

  /// The `fire` is in the gate's queue.
  func hasPosted() { bound.lock.unlock() }

  /// The operation that a `fire` stands for, inside the gate: apply it, then call `finish`.
  func takeNext() -> Held? {
    bound.lock.lock()
    var sleepers: Sleepers? = nil
    var jobs = HeldJobs.none
    let held = first
    if let held {
      remove(held)
      jobs = releaseIfHalfEmpty()
      if held.operation == .error { isOverflowing = false }
      // Where values enter others may get in; of the stores below one may be about to get this one.
      if held.operation == .next { sleepers = isEntry ? madeRoomHere() : bound.madeRoom() }
    }
    bound.lock.unlock()
    sleepers?.wake()
    jobs.resume()
    return held
  }

  func finish(_ held: Held) {
    let isValue = held.operation == .next
    held.free()
    if isValue && isEntry && bound.holdsSendersBack { bound.arrive(1) }
  }

  // MARK: The list, under the lock

  private func append(_ held: Held) {
    held.previous.pointee = last?.address ?? 0
    if let last { last.next.pointee = held.address } else { first = held }
    last = held
    guard held.operation == .next else { return }
    if let lastValue { lastValue.nextValue.pointee = held.address } else { firstValue = held }
    lastValue = held
    count &+= 1
    bound.grow()
    brakeIfFull()
    if isEntry && bound.holdsSendersBack { bound.begin(1) }
  }

  private func remove(_ held: Held) {
    let (before, after) = (Held(held.previous.pointee), Held(held.next.pointee))
    if let before { before.next.pointee = after?.address ?? 0 } else { first = after }
    if let after { after.previous.pointee = before?.address ?? 0 } else { last = before }
    guard held.operation == .next else { return }
    // A value that leaves is the first one.
    firstValue = Held(held.nextValue.pointee)
    if firstValue == nil { lastValue = nil }
    count &-= 1
    bound.shrink()
  }

  private func takeFirstValue() -> Held? {
    guard let oldest = firstValue else { return nil }
    remove(oldest)
    return oldest
  }

  deinit {
    while let held = first {
      first = Held(held.next.pointee)
      held.free()
    }
  }

  // MARK: Senders

  /// Lets in so many values that are sent together; else why not. More than one do not wait: only
  /// inside a callback are they sent together. `arrive` follows.
  @inline(never)
  func admit(_ many: Int) -> rac_status {
    if many > bound.capacity { return Status.range }
    bound.lock.lock()
    var status = Status.ok
    let mayEnter = isClosed || hasRoom(for: many)
    if !mayEnter {
      // Inside a callback the one that it waits for may be itself.
      status =
        bound.policy == .refuse
        ? Status.again
        : currentThread().isAwaited
          ? Status.deadlock : bound.recordingHold { sleep() }
    }
    if status == Status.ok {
      bound.begin(many)
      // One that then finds no place after all is told so and tries again.
      if many > 1 { promised &+= many }
    }
    let next = mayEnter ? nil : callNext()
    bound.lock.unlock()
    next?.wake()
    return status
  }

  /// Under the lock, when a value has left.
  private func madeRoomHere() -> Sleepers? {
    senders.isCalled(for: room) && bound.placesBelow > 0 ? call(all: false) : nil
  }

  private func callNext() -> Sleepers? {
    guard hasRoom(for: 1), senders.callsNext(waiting: count, isLast: bound.isLast) else {
      return nil
    }
    return bound.isLast ? call(all: false) : bound.madeRoom()
  }

  override var awaitsPlace: Bool { senders.awaitsPlace(room: room) }

  /// The lock is held before and after.
  ///
  /// The sleeper reads `calls` under the lock, and the caller changes it there: so no call is
  /// missed. A woken sender looks again, also when its time has passed, so no call is lost with a
  /// sender that leaves.
  private func sleep() -> rac_status {
    let deadline = bound.deadline
    var end = Parker.End.woken
    let isCalledForFew = senders.enough < 8 || !bound.isLast
    var mayWatch = senders.joins(isCalledForFew: isCalledForFew) && spin.isWorthwhile
    var isHurried = false
    defer { senders.leaves(wasHurried: isHurried) }
    while true {
      if Process.isClosed { return Status.closed }
      if isClosed || hasRoom(for: 1) { return Status.ok }
      if end.isFinal { return end.status }
      let now = calls.load(ordering: .relaxed)
      if mayWatch {
        mayWatch = false
        watch(now)
      } else {
        let start = rac_shim_now()
        let moment = senders.enough == 1 || isHurried ? .max : rac_shim_now() &+ senders.nap
        bound.lock.unlock()
        end = Parker.park(
          at: atomicAddress(calls), while: now, until: deadline, lookingAt: moment)
        // The lock may be one of the parent's for ever.
        if end == .forked { return end.status }
        bound.lock.lock()
        if calls.load(ordering: .relaxed) != now {
          if !end.isFinal { spin.isWoken(since: start, from: caller) }
        } else if !isHurried {
          isHurried = true
          senders.hurries()
        }
      }
      senders.looks()
    }
  }

  /// Spins for a call, for a moment: the consumer runs on another processor. The lock is held
  /// before and after, so the caller knows whether a sender is awake to hear it.
  private func watch(_ now: UInt32) {
    senders.watches()
    var mine = spin
    bound.lock.unlock()
    // Without yields, which a deadline of now says: the one place may be this sender's, and a yield
    // beside busy programs would keep it from all others.
    _ = mine.wait(until: 0) { calls.load(ordering: .relaxed) != now }
    bound.lock.lock()
    senders.stopsWatching()
  }

  /// They have been delivered, or wait here.
  func arrive(_ many: Int) {
    if many > 1 { bound.lock.locked { promised &-= many } }
    bound.arrive(many)
  }

  // MARK: Places of operations that wait elsewhere, and are counted there. See BoundedPlace

  func reserve(isForced: Bool) -> Bool {
    bound.lock.locked {
      if room < 1 && !isForced { return false }
      count &+= 1
      bound.grow()
      rac_shim_count_queued(-1)
      bound.begin(1)
      return true
    }
  }

  func giveBack() {
    let sleepers: Sleepers? = bound.lock.locked {
      count &-= 1
      rac_shim_count_queued(1)
      bound.shrink()
      return madeRoomHere()
    }
    sleepers?.wake()
  }

  private var room: Int { bound.capacity &- count &- promised }

  private func hasRoom(for many: Int) -> Bool { room >= many && bound.roomBelow >= many }
}

/// An operation that waits: a block of raw memory that owns its object and its value.
struct Held {
  let base: UnsafeMutableRawPointer

  init?(_ address: UInt) {
    guard let base = UnsafeMutableRawPointer(bitPattern: address) else { return nil }
    self.base = base
  }

  init(_ operation: Operation, _ object: Object?, _ value: Value) {
    base = rac_shim_allocate(56).unsafelyUnwrapped
    next.pointee = 0
    previous.pointee = 0
    nextValue.pointee = 0
    owner.pointee = object.map { Unmanaged.passRetained($0).toOpaque() }
    content.pointee = value.retained()
    kind.pointee = operation.rawValue
  }

  /// Perhaps the last that holds what a callback of the user's frees: not under a lock.
  func free() {
    owner.pointee.map { Unmanaged<Object>.fromOpaque($0).release() }
    content.pointee.release()
    rac_shim_free(base)
  }

  var address: UInt { UInt(bitPattern: base) }
  var operation: Operation { Operation(rawValue: kind.pointee) ?? .close }
  var object: Object? {
    owner.pointee.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
  }
  var value: Value { content.pointee }
  /// As in the gate's own queue: once the library is closed nobody is called, but all is let go.
  var isDue: Bool { !Process.isClosed || kind.pointee > Operation.completed.rawValue }

  var next: UnsafeMutablePointer<UInt> { base.assumingMemoryBound(to: UInt.self) }
  var previous: UnsafeMutablePointer<UInt> { (base + 8).assumingMemoryBound(to: UInt.self) }
  var nextValue: UnsafeMutablePointer<UInt> { (base + 16).assumingMemoryBound(to: UInt.self) }
  private var owner: UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    (base + 24).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
  private var content: UnsafeMutablePointer<Value> {
    (base + 32).assumingMemoryBound(to: Value.self)
  }
  private var kind: UnsafeMutablePointer<UInt8> {
    (base + 48).assumingMemoryBound(to: UInt8.self)
  }
}
