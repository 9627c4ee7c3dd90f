import CRACShims

/// Numbers by the addresses of objects, which somebody keeps: open addressing, with the next place
/// where one is taken (Knuth, volume 3, section 6.4).
final class AddressTable: Object {
  private typealias Entry = (address: UInt, number: Int)

  /// A power of two, half of them empty at least; none at first.
  private var entries: UnsafeMutablePointer<Entry>?
  private var size = 0
  private var count = 0

  func number(of object: Object) -> Int? {
    guard let entry = find(AddressTable.address(of: object)), entry.pointee.address != 0 else {
      return nil
    }
    return entry.pointee.number
  }

  func set(_ number: Int, of object: Object) {
    if count &* 2 >= size { grow() }
    let address = AddressTable.address(of: object)
    let entry = find(address).unsafelyUnwrapped
    if entry.pointee.address == 0 { count &+= 1 }
    entry.pointee = (address, number)
  }

  private static func address(of object: Object) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  /// Its place, or the empty one where it would be.
  private func find(_ address: UInt) -> UnsafeMutablePointer<Entry>? {
    guard let entries else { return nil }
    var place = Int(truncatingIfNeeded: (address &>> 4) &* 0x9E37_79B9_7F4A_7C15 &>> 32)
    while true {
      let entry = entries + place & (size &- 1)
      if entry.pointee.address == address || entry.pointee.address == 0 { return entry }
      place &+= 1
    }
  }

  @inline(never)
  private func grow() {
    let old = entries
    let oldSize = size
    size = max(8, size &* 2)
    let block = rac_shim_allocate_zeroed(size &* MemoryLayout<Entry>.stride)
    if block == nil { rac_shim_fatal("out of memory") }
    entries = block?.assumingMemoryBound(to: Entry.self)
    var index = 0
    while let old, index < oldSize {
      let entry = old[index]
      if entry.address != 0 { find(entry.address)?.pointee = entry }
      index &+= 1
    }
    rac_shim_free(old)
  }

  deinit { rac_shim_free(entries) }
}
