import CRACShims

/// Deadlines in order, equal ones by arrival: a heap with four children a node (d-ary heap:
/// Johnson, 1975), in raw memory.
///
/// An entry is 16 bytes and says all that ordering needs, so that moving one about touches nothing
/// else. A second array has the jobs, by number. Taking a job out before its time only clears that
/// place: its entry stays until it comes up, or until three of four entries are such and all of
/// them are thrown out together. So that costs the same among two and among a million.
struct TimerHeap: ~Copyable {
  /// The deadline above, its sign turned so that the numbers compare as such; then the order of
  /// arrival; then the number.
  private struct Entry {
    let key: UInt128

    @inline(__always)
    init(_ deadline: Int64, _ arrival: UInt64, _ number: UInt32) {
      let ordered = UInt64(bitPattern: deadline) ^ (1 << 63)
      key = UInt128(ordered) &<< 64 | UInt128(arrival &<< 32 | UInt64(number))
    }

    @inline(__always)
    var deadline: Int64 { Int64(bitPattern: UInt64(truncatingIfNeeded: key &>> 64) ^ (1 << 63)) }
    @inline(__always)
    var number: Int { Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: key)) }
  }

  /// The root's index. The children of i are 4i-5 … 4i-2: with the root at 2, four siblings are one
  /// cache line of a large block of malloc's, which begins 16 bytes into a page.
  private static let root = 2
  /// Less is not worth throwing out, or giving back.
  private static let few = 64

  private var entries: UnsafeMutablePointer<Entry>? = nil
  private var end = TimerHeap.root
  private var capacity = 0

  /// By number: the waiting job; 0 when it was taken out and its entry is still there; for a free
  /// number twice the next free one and one.
  private var payloads: UnsafeMutablePointer<UInt>? = nil
  private var numbers = 1
  private var numberCapacity = 0
  private var freeNumber: UInt = 0

  /// How many wait.
  private(set) var count = 0
  /// How many have come. Starts again before it needs more than 32 bits.
  private var arrivals: UInt64

  init(arrivals: UInt64 = 0) { self.arrivals = arrivals }

  deinit {
    rac_shim_free(entries)
    rac_shim_free(payloads)
  }

  /// That of the first entry, which may have been taken out: see `dropLeading`.
  var firstDeadline: Int64? {
    @inline(__always) get {
      count == 0 ? nil : entries.unsafelyUnwrapped[TimerHeap.root].deadline
    }
  }

  /// The job with this number, 0 if there is none.
  @inline(__always)
  func payload(_ number: UInt32) -> UInt {
    let index = Int(number)
    guard index > 0 && index < numbers else { return 0 }
    let payload = payloads.unsafelyUnwrapped[index]
    return payload & 1 == 0 ? payload : 0
  }

  /// The number, never 0, under which the payload, an address, can be taken out before its time.
  mutating func insert(_ payload: UInt, at deadline: Int64) -> UInt32 {
    if arrivals > 0xFFFF_FFFF { startAgain() }
    if end >= capacity { grow() }
    let number = takeNumber()
    payloads.unsafelyUnwrapped[number] = payload
    let name = UInt32(truncatingIfNeeded: number)
    place(Entry(deadline, arrivals, name), above: end)
    arrivals &+= 1
    end &+= 1
    count &+= 1
    return name
  }

  /// Takes out what waits under a number that something waits under.
  mutating func remove(_ number: UInt32) {
    payloads.unsafelyUnwrapped[Int(number)] = 0
    count &-= 1
    if count == 0 { return reset() }
    let dead = end &- TimerHeap.root &- count
    if dead > 3 &* count && dead >= TimerHeap.few { throwOut() }
  }

  /// Takes out the first. 0 when its deadline is after `time`, or nothing waits.
  mutating func removeFirst(upTo time: Int64) -> (UInt, Int64) {
    dropLeading()
    guard count > 0 else { return (0, 0) }
    let first = entries.unsafelyUnwrapped[TimerHeap.root]
    guard first.deadline <= time else { return (0, 0) }
    let payload = payloads.unsafelyUnwrapped[first.number]
    count &-= 1
    if count == 0 {
      reset()
    } else {
      dropRoot()
      dropLeading()
    }
    return (payload, first.deadline)
  }

  /// The number of the first that is due between two times; 0: there is none. Looks at all.
  func first(from: Int64, to: Int64) -> UInt32 {
    var found: Entry?
    for index in Places(count == 0 ? 0 : end) where index >= TimerHeap.root && !isDead(index) {
      let entry = entries.unsafelyUnwrapped[index]
      guard entry.deadline >= from, entry.deadline <= to else { continue }
      if let known = found, known.key < entry.key { continue }
      found = entry
    }
    return found.map { UInt32(truncatingIfNeeded: $0.number) } ?? 0
  }

  /// Makes the first entry one that waits.
  mutating func dropLeading() {
    while count > 0, isDead(TimerHeap.root) { dropRoot() }
  }

  @inline(__always)
  private func isDead(_ index: Int) -> Bool {
    payloads.unsafelyUnwrapped[entries.unsafelyUnwrapped[index].number] == 0
  }

  private mutating func dropRoot() {
    let entries = entries.unsafelyUnwrapped
    // One of the root's children is next: prefetches their jobs while the entries find their
    // places.
    let child = TimerHeap.root &* 4 &- 5
    if child &+ 4 <= end {
      prefetch(entries[child])
      prefetch(entries[child &+ 1])
      prefetch(entries[child &+ 2])
      prefetch(entries[child &+ 3])
    }
    freeUp(entries[TimerHeap.root].number)
    end &-= 1
    if end > TimerHeap.root { place(entries[end], below: TimerHeap.root) }
  }

  @inline(__always)
  private func prefetch(_ entry: Entry) {
    rac_shim_prefetch(payloads.unsafelyUnwrapped + entry.number)
  }

  @inline(__always)
  private mutating func freeUp(_ number: Int) {
    payloads.unsafelyUnwrapped[number] = freeNumber &<< 1 | 1
    freeNumber = UInt(bitPattern: number)
  }

  /// Puts the entry into the hole or, as far as it precedes them, in place of those above it, up to
  /// the one at the top.
  @inline(__always)
  private func place(_ entry: Entry, above hole: Int, upTo top: Int = TimerHeap.root) {
    let entries = entries.unsafelyUnwrapped
    var hole = hole
    while hole > top {
      let parent = (hole &+ 5) &>> 2
      guard entry.key < entries[parent].key else { break }
      entries[hole] = entries[parent]
      hole = parent
    }
    entries[hole] = entry
  }

  /// Puts the entry into the hole or, as far as they precede it, in place of those below it. It
  /// comes from the end, and belongs near there: so the hole goes all the way down without a look
  /// at it, and it then rises.
  private func place(_ entry: Entry, below top: Int) {
    let entries = entries.unsafelyUnwrapped
    var hole = top
    var child = hole &* 4 &- 5
    // Random numbers: written so that the processor need not guess how they compare.
    while child &+ 4 <= end {
      // The children of all four are next to each other: fetched while these are compared.
      let below = entries + (child &* 4 &- 5)
      rac_shim_prefetch(below)
      rac_shim_prefetch(below + 4)
      rac_shim_prefetch(below + 8)
      rac_shim_prefetch(below + 12)
      let left = child &+ (entries[child &+ 1].key < entries[child].key ? 1 : 0)
      let right = child &+ (entries[child &+ 3].key < entries[child &+ 2].key ? 3 : 2)
      let first = entries[right].key < entries[left].key ? right : left
      entries[hole] = entries[first]
      hole = first
      child = hole &* 4 &- 5
    }
    if child < end {
      var first = child
      while child &+ 1 < end {
        child &+= 1
        if entries[child].key < entries[first].key { first = child }
      }
      entries[hole] = entries[first]
      hole = first
    }
    place(entry, above: hole, upTo: top)
  }

  /// Throws out what was taken out, and makes a heap of the rest.
  @inline(never)
  private mutating func throwOut() {
    let entries = entries.unsafelyUnwrapped
    let behind = end
    end = TimerHeap.root
    var index = TimerHeap.root
    while index < behind {
      // Their numbers are anywhere.
      if index &+ 16 < behind { prefetch(entries[index &+ 16]) }
      if isDead(index) {
        freeUp(entries[index].number)
      } else {
        entries[end] = entries[index]
        end &+= 1
      }
      index &+= 1
    }
    var parent = (end &+ 4) &>> 2
    while parent >= TimerHeap.root {
      place(entries[parent], below: parent)
      parent &-= 1
    }
  }

  private mutating func takeNumber() -> Int {
    let free = Int(bitPattern: freeNumber)
    if free != 0 {
      freeNumber = payloads.unsafelyUnwrapped[free] &>> 1
      return free
    }
    if numbers >= numberCapacity { growNumbers() }
    numbers &+= 1
    return numbers &- 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = max(16, capacity &* 2)
    entries = rac_shim_enlarge(entries, capacity &* 16, larger &* 16)
      .unsafelyUnwrapped.assumingMemoryBound(to: Entry.self)
    capacity = larger
  }

  @inline(never)
  private mutating func growNumbers() {
    let larger = max(16, numberCapacity &* 2)
    if larger > 1 << 32 { rac_shim_fatal("too many jobs wait for their time") }
    payloads = rac_shim_enlarge(payloads, numberCapacity &* 8, larger &* 8)
      .unsafelyUnwrapped.assumingMemoryBound(to: UInt.self)
    numberCapacity = larger
  }

  /// No job waits, so cleared entries need no look. The room of a crowd is given back when it was
  /// not needed since: not at once, because the crowd's last job is on its way, and freeing a large
  /// block can take malloc milliseconds.
  private mutating func reset() {
    let most = numbers
    end = TimerHeap.root
    numbers = 1
    freeNumber = 0
    arrivals = 0
    if capacity <= TimerHeap.few &* 16 || most > capacity / 8 { return }
    rac_shim_free(entries)
    rac_shim_free(payloads)
    entries = nil
    payloads = nil
    capacity = 0
    numberCapacity = 0
  }

  /// Counts arrivals from 0 again, keeping the order: once in four billion of them. A sorted array
  /// is also a heap.
  @inline(never)
  private mutating func startAgain() {
    // Like the array it takes the place of, so that it can grow.
    let sorted = rac_shim_enlarge(nil, 0, max(16, capacity) &* 16)
      .unsafelyUnwrapped.assumingMemoryBound(to: Entry.self)
    let behind = end
    arrivals = 0
    while end > TimerHeap.root {
      let first = entries.unsafelyUnwrapped[TimerHeap.root]
      let name = UInt32(truncatingIfNeeded: first.number)
      sorted[TimerHeap.root &+ Int(arrivals)] = Entry(first.deadline, arrivals, name)
      arrivals &+= 1
      end &-= 1
      if end > TimerHeap.root {
        place(entries.unsafelyUnwrapped[end], below: TimerHeap.root)
      }
    }
    rac_shim_free(entries)
    entries = sorted
    end = behind
  }
}
