/// Numbers by key: 0, 1, … in the order in which the keys came. The owner of the table owns the
/// keys.
///
/// Not a dictionary of keys: equality and hash may be those of a program's class and need not
/// agree, today's with yesterday's even less, and Swift's dictionary traps when it notices. This
/// one's own keys are places: the hash, asked for once, and where that is taken the next ones.
struct KeyTable {
  private var numbers: [UInt64: Int]
  private var count = 0
  private static var step: UInt64 { 0x9E37_79B9_7F4A_7C15 }

  init(minimumCapacity: Int = 0) { numbers = Dictionary(minimumCapacity: minimumCapacity) }

  /// The number of the key that has the hash and is the one meant.
  func number(_ hash: UInt64, where isMeant: (Int) -> Bool) -> Int? {
    var place = hash
    while let number = numbers[place] {
      if isMeant(number) { return number }
      place &+= KeyTable.step
    }
    return nil
  }

  /// The next key; nil for one that is not to be found.
  mutating func append(_ hash: UInt64?) {
    let number = count
    count &+= 1
    guard var place = hash else { return }
    while numbers[place] != nil { place &+= KeyTable.step }
    numbers[place] = number
  }
}
