import CRACShims
import CRACTypes

/// A walk over everything that some handles alone keep alive, for a garbage collector: a release of
/// them now would free it.
///
/// The algorithm is trial deletion, as in CPython's collector. Each reference that the walk finds
/// in a dying object dies with it; once the walk has found all references to an object, that object
/// dies, too, and names its own references in `visit`. So an object with a reference from elsewhere
/// stays out, even where nobody knows the holder. A holder that does not name a reference keeps the
/// object alive.
///
/// The walk takes no references, which would be counted. Where there is no memory to remember
/// something, that is left out.
struct Visitor {
  private let function: rac_visit_fn
  private let context: UnsafeMutableRawPointer?
  /// Addresses of dying objects that have yet to name their references.
  private var pending = AddressList()
  /// Things kept to the end, such as gates that were entered: see `keep`.
  private var kept = AddressList()
  /// Locks that are held to the end: see `enter`.
  private var locks = AddressList()
  /// By the address of something that has several references, how many were found; by that of a
  /// gate, what is known of it.
  private var shared = AddressTable()

  /// In an address: it is a block's.
  private static var block: UInt { 1 }
  /// The same: it is no address, but a handle's number.
  private static var handle: UInt { 2 }
  /// The same: it is the core of a gate that was entered; see `enter`.
  private static var gate: UInt { 4 }
  /// In what is kept: it is the word of a `Once`.
  private static var once: UInt { 1 }

  init(_ function: @escaping rac_visit_fn, _ context: UnsafeMutableRawPointer?) {
    self.function = function
    self.context = context
  }

  // MARK: References

  /// A reference to a context of the program's.
  func held(_ pointer: UnsafeMutableRawPointer?, _ destroy: rac_destroy_fn?) {
    if let destroy { function(context, pointer, destroy) }
  }

  /// One reference to an object. A closure, so that no reference of this call's is counted.
  @inline(__always)
  mutating func reference(_ object: @autoclosure () -> Object?) {
    let address = object().map { Unmanaged.passUnretained($0).toOpaque() }
    reference(address)
  }

  /// One to each of a list that goes, and that nobody else has.
  mutating func references<Element: Object>(_ list: [Element]) {
    objects(unsafeBitCast(list, to: [Object].self))
  }

  @inline(never)
  private mutating func objects(_ list: [Object]) {
    list.withUnsafeBufferPointer {
      for place in Places($0.count) {
        reference($0[place])
      }
    }
  }

  @inline(never)
  mutating func reference(_ object: UnsafeMutableRawPointer?) {
    guard let object else { return }
    let references = rac_shim_references(object)
    let address = UInt(bitPattern: object)
    if references == 1 || count(address) == references { pending.append(address) }
  }

  /// How many references to a block of a value's have been found, with this one.
  mutating func count(block: UnsafeMutableRawPointer) -> UInt {
    count(UInt(bitPattern: block) | Visitor.block)
  }

  /// How often a handle was given, with this time.
  mutating func count(handle: UInt) -> UInt { count(handle &<< 4 | Visitor.handle) }

  /// How many references to it have been found, with this one; 0: there is no memory to know that.
  private mutating func count(_ address: UInt) -> UInt {
    guard let found = shared.add(address) else { return 0 }
    found.pointee &+= 1
    return found.pointee
  }

  /// The note about the gate of an object, if there is memory for one: 0 before it was entered.
  /// Good until the table is next used.
  mutating func note(of owner: Object) -> UnsafeMutablePointer<UInt>? {
    shared.add(UInt(bitPattern: Unmanaged.passUnretained(owner).toOpaque()) | Visitor.gate)
  }

  // MARK: Dying objects

  /// Asks all that goes.
  mutating func visitAll() {
    while let address = pending.popLast() {
      if let object = UnsafeRawPointer(bitPattern: address) {
        Unmanaged<Object>.fromOpaque(object)._withUnsafeGuaranteedRef {
          $0.visitBase(&self)
          $0.visit(&self)
        }
      }
    }
  }

  /// Whether the walk may look into a `Once`: its value is there, or nobody computes it, nor will
  /// before the end.
  mutating func enter(_ once: borrowing Once) -> Bool {
    guard let claim = once.beginIfIdle() else { return false }
    guard case .mine = claim else { return true }
    if kept.append(UInt(bitPattern: once.place.address) | Visitor.once) { return true }
    once.abandon()
    return false
  }

  /// The same for a lock, which stays held to the end. False: somebody is inside, and the walk does
  /// not wait.
  mutating func enter(_ lock: borrowing Lock) -> Bool {
    guard lock.lockIfFree() else { return false }
    if locks.append(UInt(bitPattern: lock.address)) { return true }
    lock.unlock()
    return false
  }

  /// Before anything else that was kept: leaving a gate may take one of the locks.
  mutating func unlockAll() {
    while let address = locks.popLast() {
      if let lock = UnsafeRawPointer(bitPattern: address) { Lock.unlock(at: lock) }
    }
  }

  /// Remembers something until the end. False: there is no memory for it.
  mutating func keep(_ pointer: UnsafeMutableRawPointer) -> Bool {
    kept.append(UInt(bitPattern: pointer))
  }

  /// Takes out the thing that was kept last. A `Once` may be computed again.
  mutating func takeKept() -> UnsafeMutableRawPointer? {
    while let word = kept.popLast() {
      if word & Visitor.once == 0 { return UnsafeMutableRawPointer(bitPattern: word) }
      let place = UnsafeRawPointer(bitPattern: word & ~Visitor.once).unsafelyUnwrapped
      Once.Place(place).abandon()
    }
    return nil
  }

  mutating func deallocate() {
    pending.deallocate()
    kept.deallocate()
    locks.deallocate()
    shared.deallocate()
  }
}

/// A list that grows where there is memory for it.
private struct AddressList {
  private var words: UnsafeMutablePointer<UInt>?
  private var capacity = 0
  private var count = 0

  @inline(never)
  @discardableResult
  mutating func append(_ word: UInt) -> Bool {
    if count == capacity {
      let larger = capacity == 0 ? 32 : capacity &* 2
      guard let block = rac_shim_enlarge_checked(words, capacity &* 8, larger &* 8) else {
        return false
      }
      words = block.assumingMemoryBound(to: UInt.self)
      capacity = larger
    }
    words.unsafelyUnwrapped[count] = word
    count &+= 1
    return true
  }

  mutating func popLast() -> UInt? {
    if count == 0 { return nil }
    count &-= 1
    return words.unsafelyUnwrapped[count]
  }

  func deallocate() { rac_shim_free(words) }
}
