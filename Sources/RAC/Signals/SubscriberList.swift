import CRACShims

/// The subscribers of a hot signal, in the order they came. Used inside the gate only.
///
/// An entry is the call a delivery boils down to, so that sending to a thousand callbacks is a loop
/// over an array. Removal leaves a hole that does nothing; holes are closed up when they outnumber the
/// living, never during a delivery.
struct SubscriberList {
  private struct Entry {
    var function: rac_next_fn
    var context: UnsafeMutableRawPointer?
    var sink: Unmanaged<Sink>?
  }

  private var entries: UnsafeMutablePointer<Entry>?
  private var capacity = 0
  /// Entries in use, holes included.
  private var used = 0
  private(set) var count = 0

  /// Takes a reference to the sink.
  mutating func append(_ sink: Sink) {
    if used == capacity { grow() }
    let leaf = sink.leaf ?? SubscriberList.leaf(calling: sink)
    sink.index = Int32(truncatingIfNeeded: used)
    entries.unsafelyUnwrapped[used] = Entry(
      function: leaf.function, context: leaf.context, sink: Unmanaged.passRetained(sink))
    used &+= 1
    count &+= 1
  }

  /// The sink's reference, for the caller to drop; nil when it is not in the list.
  mutating func remove(_ sink: Sink) -> Unmanaged<Sink>? {
    let index = Int(sink.index)
    guard index >= 0 else { return nil }
    sink.index = -1
    let entry = entries.unsafelyUnwrapped + index
    entry.pointee.function = { _, _ in }
    let mine = entry.pointee.sink
    entry.pointee.sink = nil
    count &-= 1
    if used > 16, count < used / 2 { compact() }
    return mine
  }

  /// Empties the list and hands its sinks over, in order.
  mutating func removeAll() -> [Sink] {
    var sinks: [Sink] = []
    sinks.reserveCapacity(count)
    var index = 0
    while index < used {
      if let sink = entries.unsafelyUnwrapped[index].sink {
        let sink = sink.takeRetainedValue()
        sink.index = -1
        sinks.append(sink)
      }
      index &+= 1
    }
    used = 0
    count = 0
    return sinks
  }

  /// Calls everybody who was in the list at the start. Operations that come meanwhile wait in the
  /// gate, so the list does not change below our feet; but a subscription may have been disposed.
  @inline(__always)
  func deliver(_ value: Value, _ gate: Gate) {
    if used == 1, let entries {
      return entries.pointee.function(entries.pointee.context, value)
    }
    deliverToAll(value, gate)
  }

  @inline(never)
  private func deliverToAll(_ value: Value, _ gate: Gate) {
    guard let entries else { return }
    var entry = entries
    let end = entries + used
    if entry == end { return }
    while true {
      entry.pointee.function(entry.pointee.context, value)
      entry += 1
      if entry == end { return }
      if gate.isDisturbed { return deliverCarefully(value, from: entry, to: end) }
    }
  }

  /// The same for a value that waited: a subscription may have been disposed before its turn came.
  func deliverCarefully(_ value: Value) {
    guard let entries else { return }
    deliverCarefully(value, from: entries, to: entries + used)
  }

  @inline(never)
  private func deliverCarefully(
    _ value: Value, from start: UnsafeMutablePointer<Entry>, to end: UnsafeMutablePointer<Entry>
  ) {
    var entry = start
    while entry < end {
      if let sink = entry.pointee.sink, !sink._withUnsafeGuaranteedRef({ $0.scope.isActive }) {
        // Cut for good: having missed this value it must not hear a later one, although the removal
        // may still be on its way.
        entry.pointee.function = { _, _ in }
      }
      entry.pointee.function(entry.pointee.context, value)
      entry += 1
    }
  }

  func deallocate() { rac_shim_free(entries) }

  private static func leaf(calling sink: Sink) -> Leaf {
    Leaf(
      function: { context, value in
        Unmanaged<Sink>.fromOpaque(context.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
          $0.next(value)
        }
      },
      context: Unmanaged.passUnretained(sink).toOpaque())
  }

  private mutating func grow() {
    capacity = capacity == 0 ? 2 : capacity &* 2
    entries = rac_shim_reallocate(entries, capacity &* MemoryLayout<Entry>.stride)
      .unsafelyUnwrapped.assumingMemoryBound(to: Entry.self)
  }

  private mutating func compact() {
    let entries = entries.unsafelyUnwrapped
    var from = 0
    var to = 0
    while from < used {
      if let sink = entries[from].sink {
        if from != to {
          entries[to] = entries[from]
          sink._withUnsafeGuaranteedRef { $0.index = Int32(truncatingIfNeeded: to) }
        }
        to &+= 1
      }
      from &+= 1
    }
    used = to
  }
}
