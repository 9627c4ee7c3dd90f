import CRACShims

/// Numbers of objects, by their addresses; the owner of the table keeps the objects.
final class ObjectNumbers: Object {
  @exclusivity(unchecked) private var table = AddressTable()

  func number(of object: Object) -> Int? {
    table.find(ObjectNumbers.address(of: object)).map { Int(bitPattern: $0.pointee) }
  }

  func set(_ number: Int, of object: Object) { _ = exchange(number, of: object) }

  /// Sets it, and gives the number before; 0: there was none.
  @inline(__always)
  func exchange(_ number: Int, of object: Object) -> Int {
    guard let place = table.add(ObjectNumbers.address(of: object)) else {
      rac_shim_fatal("out of memory")
    }
    let before = place.pointee
    place.pointee = UInt(bitPattern: number)
    return Int(bitPattern: before)
  }

  private static func address(of object: Object) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  deinit { table.deallocate() }
}
