import CRACShims

/// Values gathered side by side, as an array for C: one block of memory, used again for each batch.
struct Batch {
  /// The type of the array's elements.
  enum Form {
    case values, int64s, doubles
  }

  let form: Form
  /// The kind of a value whose bits are kept as they are; none, where all of a value is kept.
  private let kind: UInt8
  /// It never holds more.
  let limit: Int
  private(set) var memory: UnsafeMutableRawPointer?
  private var capacity = 0
  private(set) var count = 0

  /// `limit` is at least 1.
  init(_ form: Form, limit: Int) {
    self.form = form
    kind =
      form == .int64s ? Value.Kind.int64 : form == .doubles ? Value.Kind.double : UInt8.max
    self.limit = min(limit, Int.max / 64)
  }

  /// How many there is room for at first: a large limit costs nothing until so many have come.
  private static let firstCapacity = 256

  var isFull: Bool { count == limit }

  /// Keeps a number that is none of the last there is room for, so that nothing else is to be done.
  @inline(__always)
  mutating func appendQuickly(_ value: Value) -> Bool {
    let next = count &+ 1
    guard value.kind == kind, next < capacity else { return false }
    memory.unsafelyUnwrapped.storeBytes(of: value.bits, toByteOffset: count &* 8, as: Int64.self)
    count = next
    return true
  }

  /// Keeps a value, if it is not full: retained, or as the number it is. Otherwise RAC_EKIND or
  /// RAC_ENOMEM.
  @inline(__always)
  mutating func append(_ value: Value) -> rac_status {
    if count == capacity && !grow() { return Status.noMemory }
    let place = memory.unsafelyUnwrapped + count &* stride
    switch form {
    case .values:
      place.assumingMemoryBound(to: Value.self).initialize(to: value.retained())
    case .int64s:
      guard value.kind == Value.Kind.int64 else { return Status.kind }
      place.assumingMemoryBound(to: Int64.self).initialize(to: value.bits)
    case .doubles:
      guard let number = Batch.number(value) else { return Status.kind }
      place.assumingMemoryBound(to: Double.self).initialize(to: number)
    }
    count &+= 1
    return Status.ok
  }

  /// For how many more there is room.
  var room: Int { limit &- count }

  /// Copies the first of the numbers, which are of the form that this is, and for which there is
  /// room. False: there is no memory for them.
  mutating func append(_ numbers: Numbers, _ many: Int) -> Bool {
    guard makeRoom(for: many) else { return false }
    rac_shim_copy(memory.unsafelyUnwrapped + count &* stride, numbers.first, many &* stride)
    count &+= many
    return true
  }

  /// Copies what a filter lets through of numbers of the form that this is, as far as there is
  /// room. How many it has looked at.
  mutating func append(_ numbers: Numbers, through filter: BulkFilter) -> Int {
    let most = min(room, numbers.count)
    guard makeRoom(for: most) else { return 0 }
    var left = numbers
    count &+= filter.sift(&left, to: memory.unsafelyUnwrapped + count &* stride, room: most)
    return numbers.count &- left.count
  }

  /// False: there is no memory for so many.
  private mutating func makeRoom(for many: Int) -> Bool {
    while capacity &- count < many {
      if !grow() { return false }
    }
    return true
  }

  /// Integers are numbers, too: a language with one kind of number sends 1 and 1.5.
  private static func number(_ value: Value) -> Double? {
    if value.kind == Value.Kind.double { return value.asDouble }
    return value.kind == Value.Kind.int64 ? Double(value.bits) : nil
  }

  /// Starts anew. The caller releases the values that were in the array, which stay in the memory
  /// until others come.
  mutating func restart() -> Int {
    let gathered = count
    count = 0
    return gathered
  }

  /// Releases the values that `restart` has left.
  func release(_ gathered: Int) {
    guard form == .values, let memory else { return }
    let values = memory.assumingMemoryBound(to: Value.self)
    for index in Places(gathered) {
      values[index].release()
    }
  }

  func deallocate() { rac_shim_free(memory) }

  private var stride: Int {
    form == .values ? MemoryLayout<Value>.stride : MemoryLayout<Int64>.stride
  }

  @inline(never)
  private mutating func grow() -> Bool {
    let wanted = min(limit, max(Batch.firstCapacity, capacity &* 2))
    guard wanted > capacity, let larger = rac_shim_allocate_checked(wanted &* stride) else {
      return false
    }
    rac_shim_copy(larger, memory, count &* stride)
    rac_shim_free(memory)
    memory = larger
    capacity = wanted
    return true
  }
}
