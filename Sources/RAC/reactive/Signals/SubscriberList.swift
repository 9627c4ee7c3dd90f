import CRACShims
import Synchronization

/// The subscribers of a hot signal, in the order they came. Used inside the gate only.
///
/// An entry is the call a delivery boils down to, so that sending to a thousand callbacks is a loop
/// over an array. Removal leaves a hole that does nothing; holes are closed up when they outnumber
/// the living, never during a delivery.
///
/// A sink is kept by its scope, not by this list. That is enough: a thread that takes it from
/// there, to dispose it, has it removed here, inside the gate, before letting it go. A
/// `DirectSubscription` is kept from `joinFirst` to `wasLeft`.
struct SubscriberList: ~Copyable {
  private struct Entry {
    var function: rac_next_fn
    var context: UnsafeMutableRawPointer?
    var sink: Unmanaged<Member>?
  }

  private var entries: UnsafeMutablePointer<Entry>?
  /// The call of the only entry, where a delivery is that and nothing else.
  private(set) var sole: Leaf?
  private var capacity: Int32 = 0
  /// Entries in use, holes included.
  private var used: Int32 = 0
  private let living = Atomic<Int32>(0)
  /// A delivery is never that and nothing else.
  var isSlow = false {
    didSet { findSole() }
  }

  /// How many there are: read on any thread, changed inside the gate.
  private(set) var count: Int32 {
    @inline(__always) get { living.load(ordering: .relaxed) }
    @inline(__always) nonmutating set { living.store(newValue, ordering: .relaxed) }
  }

  @inline(__always)
  mutating func append(_ sink: Sink) { append(sink, Leaf(to: sink)) }

  @inline(__always)
  mutating func append(_ sink: Member, _ leaf: Leaf) {
    if used == capacity { grow() }
    sink.index = used
    entries.unsafelyUnwrapped[Int(used)] = Entry(
      function: leaf.function, context: leaf.context, sink: Unmanaged.passUnretained(sink))
    sole = used == 0 && !isSlow ? leaf : nil
    used &+= 1
    count &+= 1
  }

  /// No-op when it is not in the list.
  @inline(__always)
  mutating func remove(_ sink: Member) {
    let index = sink.index
    guard index >= 0 else { return }
    sink.index = -1
    if count == 1 { clear() } else { removeOne(at: index) }
  }

  private mutating func clear() {
    used = 0
    count = 0
    sole = nil
  }

  @inline(__always)
  private mutating func removeOne(at index: Int32) {
    let entry = entries.unsafelyUnwrapped + Int(index)
    entry.pointee.function = { _, _ in }
    entry.pointee.sink = nil
    count &-= 1
    if index == used &- 1 { dropTail() } else if used > 16, count < used / 2 { compact() }
    findSole()
  }

  @inline(__always)
  private mutating func findSole() {
    guard used == 1, count == 1, !isSlow else { return sole = nil }
    let entry = entries.unsafelyUnwrapped.pointee
    sole = Leaf(function: entry.function, context: entry.context)
  }

  /// The one whose call that is, if it is a sink.
  var soleSink: Unmanaged<Sink>? {
    guard sole != nil, let member = entries?.pointee.sink,
      !member._withUnsafeGuaranteedRef({ $0.isDirect })
    else { return nil }
    return .fromOpaque(member.toOpaque())
  }

  /// Empties the list and hands its sinks over, in order.
  mutating func removeAll() -> [Member] {
    var sinks: [Member] = []
    sinks.reserveCapacity(Int(count))
    for index in Places(Int(used)) {
      if let sink = entries.unsafelyUnwrapped[index].sink {
        let sink = sink.takeUnretainedValue()
        sink.index = -1
        sinks.append(sink)
      }
    }
    clear()
    return sinks
  }

  /// Calls everybody who was in the list at the start. Operations that come meanwhile wait in the
  /// gate, so the list does not change below our feet; but a subscription may have been disposed.
  func deliver(_ value: Value, _ gate: Gate) {
    guard let entries else { return }
    var entry = entries
    let end = entries + Int(used)
    if entry == end { return }
    while true {
      entry.pointee.function(entry.pointee.context, value)
      entry += 1
      if entry == end { return }
      if gate.isDisturbed {
        _ = deliverCarefully(value, from: entry, to: end)
        return
      }
    }
  }

  /// The same for a value that waited: a subscription may have been disposed before its turn came.
  /// True when one had been, and `forgetSole` is due.
  func deliverCarefully(_ value: Value) -> Bool {
    guard let entries else { return false }
    return deliverCarefully(value, from: entries, to: entries + Int(used))
  }

  mutating func forgetSole() { sole = nil }

  @inline(never)
  private func deliverCarefully(
    _ value: Value, from start: UnsafeMutablePointer<Entry>, to end: UnsafeMutablePointer<Entry>
  ) -> Bool {
    var hasCut = false
    var entry = start
    while entry < end {
      if let sink = entry.pointee.sink, !sink._withUnsafeGuaranteedRef({ $0.isWanted }) {
        // Cut for good: having missed this value it must not hear a later one, although the removal
        // may still be on its way.
        entry.pointee.function = { _, _ in }
        hasCut = true
      }
      entry.pointee.function(entry.pointee.context, value)
      entry += 1
    }
    return hasCut
  }

  func deallocate() { rac_shim_free(entries) }

  /// In order.
  func forEach(_ body: (Unmanaged<Member>) -> Void) {
    guard let entries else { return }
    for index in Places(Int(used)) {
      if let sink = entries[index].sink { body(sink) }
    }
  }

  private mutating func grow() {
    // An index of 32 bits names any entry.
    if capacity > Int32.max / 2 { rac_shim_fatal("too many subscribers") }
    let larger = capacity == 0 ? 2 : capacity &* 2
    let stride = MemoryLayout<Entry>.stride
    entries = rac_shim_enlarge(entries, Int(capacity) &* stride, Int(larger) &* stride)
      .unsafelyUnwrapped.assumingMemoryBound(to: Entry.self)
    capacity = larger
  }

  /// Subscriptions often end in the reverse order in which they were made; those leave no holes.
  @inline(__always)
  private mutating func dropTail() {
    let entries = entries.unsafelyUnwrapped
    repeat { used &-= 1 } while used > 0 && entries[Int(used) &- 1].sink == nil
  }

  private mutating func compact() {
    let entries = entries.unsafelyUnwrapped
    var from: Int32 = 0
    var to: Int32 = 0
    while from < used {
      if let sink = entries[Int(from)].sink {
        if from != to {
          entries[Int(to)] = entries[Int(from)]
          sink._withUnsafeGuaranteedRef { $0.index = to }
        }
        to &+= 1
      }
      from &+= 1
    }
    used = to
  }
}
