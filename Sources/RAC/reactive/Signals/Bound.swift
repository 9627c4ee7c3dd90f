import CRACShims
import Synchronization

/// How much may wait, and the fate of the next value when there is no room.
///
/// It is given to something that holds events back: a gate that senders find taken (`BoundedLine`),
/// or a line that an operator or a reader takes values out of (`BoundedQueue`). Each of these
/// stores has room for `capacity`; the sums of their counts are here.
///
/// One lock guards them all, and so everything that decides whether a sender has to wait: a thread
/// that makes room and one that is about to wait for it cannot miss each other. docs/Concurrency.md
/// has the rules.
final class Bound: Object {
  enum Policy: Int32 {
    case dropOldest = 1
    case dropNewest
    case latest
    case error
    case wait
    case refuse
  }

  // The state's, to be read without the lock.
  let capacity: Int
  let policy: Policy
  /// Whether it acts where values enter, and on nothing below.
  let holdsSendersBack: Bool

  let lock = Lock()

  // All of these under the lock.

  private var state: BoundState
  /// Nanoseconds; negative waits for ever.
  private var timeout: Int64 = -1
  private var isGiven = false
  /// The stores below, to which more may come. Not retained: each takes itself out.
  private var stores = BoundedStore.List()
  /// Where values enter, and senders wait.
  private var entries = BoundedStore.List()

  init(_ capacity: Int, _ policy: Policy) {
    state = BoundState(capacity, policy)
    self.capacity = state.capacity
    self.policy = policy
    holdsSendersBack = state.holdsSendersBack
  }

  // MARK: The places that have it

  /// To one thing, however many subscriptions that has; one that holds senders back as often as one
  /// likes. False: it is in use elsewhere.
  func give() -> Bool {
    lock.locked {
      if isGiven && !holdsSendersBack { return false }
      isGiven = true
      return true
    }
  }

  /// It was not made.
  func takeBack() { lock.locked { isGiven = false } }

  // MARK: Counting

  /// How many wait, how many have at most, how many were dropped.
  var counts: (length: Int, highest: Int, dropped: UInt64) {
    lock.locked { (state.length, state.highest, state.dropped) }
  }

  func setTimeout(_ nanoseconds: Int64) { lock.locked { timeout = nanoseconds } }

  // Under the lock.

  func comes(waiting: Int, isForced: Bool) -> BoundState.Answer {
    let before = state.dropped
    let answer = state.comes(waiting: waiting, isForced: isForced)
    if state.dropped != before { noteLoss() }
    return answer
  }

  func drops() -> BoundState.Answer {
    noteLoss()
    return state.drops(.dropped)
  }

  /// For a trace or a recording: the subscription that the value has come by asks its thread.
  private func noteLoss() {
    guard rac_stages_are_watched() else { return }
    let thread = currentThread()
    thread.pointee.recorded_losses = thread.pointee.recorded_losses &+ 1
    thread.pointee.recorded_policy = UInt16(truncatingIfNeeded: policy.rawValue)
  }

  /// Its own node in a recording, made when a sender first waits.
  @exclusivity(unchecked) private var node = rac_node()

  /// Runs a wait of a sender's, which a recording notes.
  func recordingHold(_ wait: () -> rac_status) -> rac_status {
    guard rac_recording_is_on() else { return wait() }
    let thread = currentThread()
    if node.number == 0 || !rac_node_has_slot(node) {
      var facts = rac_node_facts()
      facts.kind = UInt8(RAC_NODE_BOUND)
      facts.detail = UInt16(truncatingIfNeeded: policy.rawValue)
      node = rac_recording_make(thread, &facts)
    }
    let mine = node
    rac_node_holds(thread, mine)
    let start = rac_shim_now()
    let status = wait()
    rac_node_goes_on(thread, mine, rac_shim_now() &- start)
    return status
  }

  deinit {
    if node.number != 0 { rac_recording_forget(currentThread(), node) }
  }

  func grow(by count: Int = 1) {
    state.entered(count)
    rac_shim_count_queued(Int64(count))
  }

  func shrink(by count: Int = 1) {
    state.left(count)
    rac_shim_count_queued(0 &- Int64(count))
  }

  /// Until when somebody waits who begins now.
  var deadline: Int64 { timeout < 0 ? .max : rac_shim_now() &+ min(timeout, .max / 2) }

  // MARK: Stores

  // Under the lock.

  func add(_ store: BoundedStore) {
    if store.isEntry { entries.append(store) } else { stores.append(store) }
  }

  func remove(_ store: BoundedStore) {
    if store.isEntry { entries.remove(store) } else { stores.remove(store) }
  }

  /// Whether a store below is full. Takes the lock.
  func holdsBelow(_ question: Question) -> Bool {
    lock.locked { stores.first { $0.brake.holds(question) } != nil }
  }

  // MARK: Room

  // Under the lock.

  /// For how many more than are on their way every store below has room.
  var roomBelow: Int {
    var room = Int.max
    stores.forEach { room = min(room, state.room(waiting: $0.count)) }
    return room
  }

  /// For how many of those no sender was called who has yet to look.
  var placesBelow: Int {
    var places = roomBelow
    entries.forEach { if $0.senders.isCalled { places &-= 1 } }
    return places
  }

  /// Whether nothing below is counted.
  var isLast: Bool { stores.isEmpty }

  /// So many are let in.
  func begin(_ count: Int) { state.begins(count) }

  /// There is room below. As many senders are called as there are places: of entries that have room
  /// of their own, one each, in turn. The first of them is to be woken with the lock free.
  func madeRoom() -> Sleepers? {
    guard holdsSendersBack else { return nil }
    var first: Sleepers? = nil
    var places = placesBelow
    while places > 0, let entry = entries.first(where: { $0.awaitsPlace }) {
      places &-= 1
      entries.remove(entry)
      entries.append(entry)
      guard let sleeper = entry.call(all: false) else { continue }
      if first == nil { first = sleeper } else { sleeper.wake() }
    }
    return first
  }

  /// All look again, because a store is closed. The same about the first of them.
  func callAll() -> Sleepers? {
    var first: Sleepers? = nil
    entries.forEach {
      guard let sleepers = $0.call(all: true) else { return }
      if first == nil { first = sleepers } else { sleepers.wake() }
    }
    return first
  }

  /// So many have got where they were going to, or nowhere. Takes the lock.
  func arrive(_ count: Int) {
    lock.lock()
    state.arrives(count)
    // One value is in nobody's way where nothing below has this bound: its place at the entry was
    // free before.
    let sleepers = count > 1 || !stores.isEmpty ? madeRoom() : nil
    lock.unlock()
    sleepers?.wake()
  }
}

/// The senders that sleep at an entry. When they are woken the entry may be gone, and so may they:
/// then no thread wakes.
struct Sleepers {
  let address: UnsafeRawPointer
  let count: Int32

  func wake() { rac_shim_futex_wake(address, count) }
}
