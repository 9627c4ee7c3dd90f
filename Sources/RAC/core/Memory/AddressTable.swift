import CRACShims

/// A number for each of some addresses: a hash table with open addressing and linear probing
/// (Knuth, volume 3, section 6.4). At most half full: it doubles before.
struct AddressTable {
  /// Pairs of an address and its number; an address of 0 is an empty place.
  private var pairs: UnsafeMutablePointer<UInt>?
  private var room = 0
  private var count = 0

  /// The number of an address; nil: it has none. Good until the next address is added.
  func find(_ address: UInt) -> UnsafeMutablePointer<UInt>? {
    guard let pairs else { return nil }
    let place = AddressTable.place(of: address, in: pairs, room)
    return pairs[place] == 0 ? nil : pairs + (place &+ 1)
  }

  /// The same, which adds the address with the number 0. nil: there is no memory for it.
  @inline(never)
  mutating func add(_ address: UInt) -> UnsafeMutablePointer<UInt>? {
    if count &* 2 >= room && !grow() { return nil }
    guard let pairs else { return nil }
    let place = AddressTable.place(of: address, in: pairs, room)
    if pairs[place] == 0 {
      pairs[place] = address
      count &+= 1
    }
    return pairs + (place &+ 1)
  }

  private static func place(
    of address: UInt, in pairs: UnsafeMutablePointer<UInt>, _ room: Int
  ) -> Int {
    var place = Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> 20) & (room &- 1)
    while pairs[2 &* place] != 0 && pairs[2 &* place] != address {
      place = (place &+ 1) & (room &- 1)
    }
    return 2 &* place
  }

  private mutating func grow() -> Bool {
    let larger = room == 0 ? 8 : room &* 2
    let bytes = larger &* 2 &* MemoryLayout<UInt>.stride
    guard let block = rac_shim_allocate_checked(bytes) else { return false }
    let fresh = block.assumingMemoryBound(to: UInt.self)
    UnsafeMutableRawPointer(block).initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    var from = 0
    while let pairs, from < 2 &* room {
      if pairs[from] != 0 {
        let place = AddressTable.place(of: pairs[from], in: fresh, larger)
        fresh[place] = pairs[from]
        fresh[place &+ 1] = pairs[from &+ 1]
      }
      from &+= 2
    }
    rac_shim_free(pairs)
    pairs = fresh
    room = larger
    return true
  }

  func deallocate() { rac_shim_free(pairs) }
}
