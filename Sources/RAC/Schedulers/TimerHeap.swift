import CRACShims

/// Deadlines in order, equal ones by arrival: a heap with four children a node, in raw memory.
///
/// An entry is 16 bytes and says all that ordering needs, so that moving one about touches neither
/// what waits nor a reference count. What waits is found by number, and so is the place of a number in
/// the heap: taking one out needs no search.
struct TimerHeap: ~Copyable {
  struct Entry {
    var deadline: Int64
    /// The order of arrival above, the number below: equal deadlines compare by arrival.
    var order: UInt64

    @inline(__always)
    var number: Int { Int(truncatingIfNeeded: order & 0xFFFF_FFFF) }

    @inline(__always)
    func precedes(_ other: Entry) -> Bool {
      deadline != other.deadline ? deadline < other.deadline : order < other.order
    }
  }

  /// The root's index. The children of i are 4i-5 … 4i-2: with the root at 2, four siblings are one
  /// cache line of a large block of malloc's, which begins 16 bytes into a page.
  private static let root = 2
  /// Smaller arrays are not worth giving back.
  private static let small = 256

  private var entries: UnsafeMutablePointer<Entry>? = nil
  private var end = TimerHeap.root
  private var capacity = 0

  /// By number: what waits, and where its entry is; for a free number, the next free one.
  private var payloads: UnsafeMutablePointer<UInt>? = nil
  private var places: UnsafeMutablePointer<UInt32>? = nil
  private var numbers = 1
  private var numberCapacity = 0
  private var freeNumber: UInt32 = 0

  /// How many have come. Starts again before it needs more than 32 bits.
  private var arrivals: UInt64

  init(arrivals: UInt64 = 0) { self.arrivals = arrivals }

  deinit {
    rac_shim_free(entries)
    rac_shim_free(payloads)
    rac_shim_free(places)
  }

  var isEmpty: Bool { end == TimerHeap.root }

  var firstDeadline: Int64? { isEmpty ? nil : entries.unsafelyUnwrapped[TimerHeap.root].deadline }

  /// What waits under this number, 0 if nothing does.
  func payload(_ number: UInt32) -> UInt {
    let index = Int(number)
    return index > 0 && index < numbers ? payloads.unsafelyUnwrapped[index] : 0
  }

  /// The number, never 0, under which the payload, not 0, can be taken out before its time.
  mutating func insert(_ payload: UInt, at deadline: Int64) -> UInt32 {
    if arrivals >= 0xFFFF_FFFF { startAgain() }
    if end >= capacity { grow() }
    let number = takeNumber()
    payloads.unsafelyUnwrapped[Int(number)] = payload
    let entry = Entry(deadline: deadline, order: arrivals &<< 32 | UInt64(number))
    arrivals &+= 1
    end &+= 1
    place(entry, above: end &- 1)
    return number
  }

  /// The first payload and its deadline. Not when empty.
  mutating func removeFirst() -> (UInt, Int64) {
    let first = entries.unsafelyUnwrapped[TimerHeap.root]
    let payload = payloads.unsafelyUnwrapped[first.number]
    takeOut(TimerHeap.root, first.number)
    return (payload, first.deadline)
  }

  /// Takes out what waits under a number that something waits under.
  mutating func remove(_ number: UInt32) {
    takeOut(Int(places.unsafelyUnwrapped[Int(number)]), Int(number))
  }

  private mutating func takeOut(_ index: Int, _ number: Int) {
    let entries = entries.unsafelyUnwrapped
    payloads.unsafelyUnwrapped[number] = 0
    places.unsafelyUnwrapped[number] = freeNumber
    freeNumber = UInt32(truncatingIfNeeded: number)
    end &-= 1
    if index < end {
      let last = entries[end]
      if index > TimerHeap.root, last.precedes(entries[TimerHeap.parent(index)]) {
        place(last, above: index)
      } else {
        place(last, below: index)
      }
    }
    if isEmpty { reset() }
  }

  @inline(__always)
  private static func parent(_ index: Int) -> Int { (index &+ 5) &>> 2 }

  @inline(__always)
  private func put(_ entry: Entry, _ index: Int) {
    entries.unsafelyUnwrapped[index] = entry
    places.unsafelyUnwrapped[entry.number] = UInt32(truncatingIfNeeded: index)
  }

  /// Puts the entry into the hole or, as far as it precedes them, in place of those above it.
  private func place(_ entry: Entry, above hole: Int) {
    let entries = entries.unsafelyUnwrapped
    var hole = hole
    while hole > TimerHeap.root {
      let parent = TimerHeap.parent(hole)
      guard entry.precedes(entries[parent]) else { break }
      put(entries[parent], hole)
      hole = parent
    }
    put(entry, hole)
  }

  /// Puts the entry into the hole or, as far as they precede it, in place of those below it.
  private func place(_ entry: Entry, below hole: Int) {
    let entries = entries.unsafelyUnwrapped
    var hole = hole
    while true {
      var child = hole &* 4 &- 5
      if child >= end { break }
      let behind = min(child &+ 4, end)
      var first = child
      var best = entries[child]
      child &+= 1
      while child < behind {
        let candidate = entries[child]
        if candidate.precedes(best) {
          best = candidate
          first = child
        }
        child &+= 1
      }
      guard best.precedes(entry) else { break }
      put(best, hole)
      hole = first
    }
    put(entry, hole)
  }

  private mutating func takeNumber() -> UInt32 {
    let free = freeNumber
    if free != 0 {
      freeNumber = places.unsafelyUnwrapped[Int(free)]
      return free
    }
    if numbers >= numberCapacity { growNumbers() }
    let number = numbers
    numbers &+= 1
    return UInt32(truncatingIfNeeded: number)
  }

  @inline(never)
  private mutating func grow() {
    capacity = max(16, capacity &* 2)
    entries = rac_shim_reallocate(entries, capacity &* 16)
      .unsafelyUnwrapped.assumingMemoryBound(to: Entry.self)
  }

  @inline(never)
  private mutating func growNumbers() {
    numberCapacity = max(16, numberCapacity &* 2)
    // The order has 32 bits for it; memory ends first.
    if numberCapacity > 1 << 32 { rac_shim_fatal("more than four billion timers are waiting") }
    payloads = rac_shim_reallocate(payloads, numberCapacity &* 8)
      .unsafelyUnwrapped.assumingMemoryBound(to: UInt.self)
    places = rac_shim_reallocate(places, numberCapacity &* 4)
      .unsafelyUnwrapped.assumingMemoryBound(to: UInt32.self)
  }

  /// Empty: nothing need be compared with what comes, and a crowd that has gone gives back its room.
  private mutating func reset() {
    arrivals = 0
    numbers = 1
    freeNumber = 0
    if capacity <= TimerHeap.small { return }
    rac_shim_free(entries)
    rac_shim_free(payloads)
    rac_shim_free(places)
    entries = nil
    payloads = nil
    places = nil
    capacity = 0
    numberCapacity = 0
  }

  /// Counts arrivals from 0 again, keeping the order: once in four billion of them. What is sorted is
  /// also a heap.
  @inline(never)
  private mutating func startAgain() {
    let sorted = rac_shim_allocate(capacity &* 16)
      .unsafelyUnwrapped.assumingMemoryBound(to: Entry.self)
    let behind = end
    var index = TimerHeap.root
    while index < behind {
      var first = entries.unsafelyUnwrapped[TimerHeap.root]
      end &-= 1
      if end > TimerHeap.root {
        place(entries.unsafelyUnwrapped[end], below: TimerHeap.root)
      }
      first.order = UInt64(index &- TimerHeap.root) &<< 32 | UInt64(first.number)
      sorted[index] = first
      index &+= 1
    }
    rac_shim_free(entries)
    entries = sorted
    end = behind
    while index > TimerHeap.root {
      index &-= 1
      put(sorted[index], index)
    }
    arrivals = UInt64(behind &- TimerHeap.root)
  }
}
