import CRACShims

/// Numbers of objects, by their addresses; the owner of the table keeps the objects.
final class ObjectNumbers: Object {
  @exclusivity(unchecked) private var table = AddressTable()

  func number(of object: Object) -> Int? {
    table.find(ObjectNumbers.address(of: object)).map { Int(bitPattern: $0.pointee) }
  }

  func set(_ number: Int, of object: Object) {
    guard let place = table.add(ObjectNumbers.address(of: object)) else {
      rac_shim_fatal("out of memory")
    }
    place.pointee = UInt(bitPattern: number)
  }

  private static func address(of object: Object) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  deinit { table.deallocate() }
}
