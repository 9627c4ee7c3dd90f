import CRACShims

/// Numbers by key: 0, 1, … in the order in which the keys came. The owner of the table owns the
/// keys. A hash table with open addressing and linear probing (Knuth, volume 3, section 6.4), at
/// most half full.
///
/// Not a dictionary of keys: equality and hash may be those of a program's class and need not
/// agree, today's with yesterday's even less, and Swift's dictionary traps when it notices. This
/// one has a key's hash, asked for once. Where a key lies depends on the process's secret too, so
/// that whoever chooses keys cannot choose many for one place.
struct KeyTable: ~Copyable {
  private struct Entry {
    var hash: UInt64 = 0
    /// From 1; 0: none.
    var ordinal = 0
  }
  private var entries: UnsafeMutablePointer<Entry>?
  /// A power of two, or 0.
  private var room = 0
  private var filled = 0
  private var count = 0

  init() {}

  /// The number of the key that has the hash and is the one meant.
  func number(_ hash: UInt64, where isMeant: (Int) -> Bool) -> Int? {
    guard let entries else { return nil }
    var place = KeyTable.place(of: hash, room)
    while entries[place].ordinal != 0 {
      let number = entries[place].ordinal &- 1
      if entries[place].hash == hash, isMeant(number) { return number }
      place = (place &+ 1) & (room &- 1)
    }
    return nil
  }

  /// The next key; nil for one that is not to be found.
  mutating func append(_ hash: UInt64?) {
    count &+= 1
    guard let hash else { return }
    if filled &* 2 >= room { grow() }
    filled &+= 1
    KeyTable.put(Entry(hash: hash, ordinal: count), into: entries.unsafelyUnwrapped, room)
  }

  private static func put(
    _ entry: Entry, into entries: UnsafeMutablePointer<Entry>, _ room: Int
  ) {
    var place = KeyTable.place(of: entry.hash, room)
    while entries[place].ordinal != 0 { place = (place &+ 1) & (room &- 1) }
    entries[place] = entry
  }

  @inline(__always)
  private static func place(of hash: UInt64, _ room: Int) -> Int {
    Int(truncatingIfNeeded: Value.mix(hash, 0)) & (room &- 1)
  }

  @inline(never)
  private mutating func grow() {
    let larger = room == 0 ? 8 : room &* 2
    let fresh = rac_shim_allocate(larger &* MemoryLayout<Entry>.stride)
      .unsafelyUnwrapped.assumingMemoryBound(to: Entry.self)
    fresh.initialize(repeating: Entry(), count: larger)
    for place in Places(room) {
      let entry = entries.unsafelyUnwrapped[place]
      if entry.ordinal != 0 { KeyTable.put(entry, into: fresh, larger) }
    }
    rac_shim_free(entries)
    entries = fresh
    room = larger
  }

  deinit { rac_shim_free(entries) }
}
