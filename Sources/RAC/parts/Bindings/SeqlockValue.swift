import CRACShims
import Synchronization

/// The value of a property: a seqlock with two places (Linux's seqcount_latch; Boehm, MSPC 2012),
/// with a split reference count for counted values. Any thread may read it at any time, while one
/// thread at a time, inside the property's gate, replaces it.
///
/// A read never waits for a writer, even one that stands still in the middle of a write, and never
/// sees a mixture of two values:
///
/// - There are two places, and the version says by its lowest bit which one holds. A writer fills
///   the other place and then publishes the next version. A reader takes the version, copies the
///   place, and looks whether the version is still the same. If it is, the place was whole, because
///   a writer overwrites it only after the next version is published. If not, the reader tries
///   again: each retry means that a writer has made progress.
/// - A counted value cannot be copied first and retained afterwards: it might be freed in between.
///   Such a value is in a node, and the place only says "look at the holder". The holder is one
///   word, the node's address and how many readers are at it. A reader counts itself in and learns
///   the address in one step, retains the value, and counts itself out. A writer swaps the word and
///   adds the count that it finds there to the node's own; readers that find the word changed count
///   themselves out there. The one that brings it to zero frees the node. The node's own count
///   starts at `reserve`, so that it cannot come to zero before the writer has added.
/// - From a scalar to a counted value the holder is set before the version, from a counted to a
///   scalar one the version before the holder. So a reader that is sent to the holder finds it
///   empty only when a later version is published already. And as a reader may be late, so late
///   that the value has been a scalar since and the holder is filled for a version yet to come, a
///   node says since when all values were counted: a reader that comes with an older version than
///   that tries again, and finds a later one.
///
/// All of it lies in a `PropertyCell`, which is never freed: see there. So even a reader that comes
/// when the property is gone harms nothing.
struct SeqlockValue {
  let cell: PropertyCell

  private static let oneReader: UInt64 = 1 << 48
  private static let addresses: UInt64 = oneReader - 1

  init(_ cell: PropertyCell) { self.cell = cell }

  /// A node's address, and in the upper 16 bits how many readers are at it: so many threads at once
  /// in the middle of a read there are not.
  private var holder: UnsafeMutablePointer<Atomic<UInt64>> { cell.holder }

  // MARK: Reading, on any thread

  /// The value, owned by the caller.
  @inline(__always)
  func read() -> Value { readWithVersion().value }

  /// The same with its version: how many values there were before.
  @inline(__always)
  func readWithVersion() -> (value: Value, version: UInt64) {
    let version = cell.version.pointee.load(ordering: .acquiring)
    if let plain = cell.copy(version), !plain.isCountedElsewhere { return (plain, version) }
    return readSlowly()
  }

  @inline(never)
  private func readSlowly() -> (value: Value, version: UInt64) {
    // A forked child has to hear that a thread may be in here.
    _ = currentThread()
    while true {
      let version = cell.version.pointee.load(ordering: .acquiring)
      guard let plain = cell.copy(version) else { continue }
      if !plain.isCountedElsewhere { return (plain, version) }
      let taken = holder.pointee.wrappingAdd(
        SeqlockValue.oneReader, ordering: .acquiringAndReleasing
      ).oldValue
      // An empty holder's count means nothing: the next writer overwrites it.
      guard let node = Node(taken & SeqlockValue.addresses) else { continue }
      let isOfThisRun = node.since.pointee <= version
      let result = (isOfThisRun ? node.value.pointee.retained() : .null, node.version.pointee)
      giveBack(node)
      if isOfThisRun { return result }
    }
  }

  private func giveBack(_ node: Node) {
    var now = holder.pointee.load(ordering: .relaxed)
    while now & SeqlockValue.addresses == node.address {
      let (done, actual) = holder.pointee.weakCompareExchange(
        expected: now, desired: now &- SeqlockValue.oneReader,
        successOrdering: .releasing, failureOrdering: .relaxed)
      if done { return }
      now = actual
    }
    node.subtract(1)
  }

  // MARK: Writing, inside the gate

  /// How many values there were before this one.
  var version: UInt64 {
    @inline(__always) get { cell.version.pointee.load(ordering: .relaxed) }
  }

  /// Whether the value, which is lent, goes into its place as it is, and the one before needs no
  /// retiring.
  @inline(__always)
  func takesPlainly(_ value: Value) -> Bool {
    value.flags & Value.Flag.keepNeedsWork == 0
      && holder.pointee.load(ordering: .relaxed) & SeqlockValue.addresses == 0
  }

  /// Takes the value over. The value before stays good until it is given to `retire`.
  @inline(__always)
  func store(_ value: Value) -> Retired {
    if !value.isCounted, holder.pointee.load(ordering: .relaxed) & SeqlockValue.addresses == 0 {
      cell.publish(value)
      return Retired(word: 0)
    }
    return storeSlowly(value)
  }

  @inline(never)
  private func storeSlowly(_ value: Value) -> Retired {
    let before = holder.pointee.load(ordering: .relaxed) & SeqlockValue.addresses
    if !value.isCounted {
      cell.publish(value)
      return Retired(word: holder.pointee.exchange(0, ordering: .acquiringAndReleasing))
    }
    let next = version &+ 1
    let node = Node.make(value, next, since: Node(before)?.since.pointee ?? next)
    let old = holder.pointee.exchange(node.address, ordering: .acquiringAndReleasing)
    cell.publish(.countedElsewhere)
    return Retired(word: before == 0 ? 0 : old)
  }

  /// A value that was replaced, and how many readers were at it then.
  struct Retired {
    fileprivate let word: UInt64

    var isNone: Bool {
      @inline(__always) get { word == 0 }
    }
  }

  /// Nothing that would have to be retired.
  static var none: Retired {
    @inline(__always) get { Retired(word: 0) }
  }

  @inline(__always)
  static func retire(_ retired: Retired) {
    if retired.word != 0 { retireSlowly(retired) }
  }

  @inline(never)
  private static func retireSlowly(_ retired: Retired) {
    let readers = Int(retired.word >> 48)
    Node(retired.word & addresses)?.subtract(Node.reserve &- readers)
  }

  /// Lets go of the value for good: the property is gone. Readers may still come, and find nil.
  func destroy() { SeqlockValue.retire(store(.null)) }
}

/// A counted value that readers may be at.
private struct Node {
  let base: UnsafeMutableRawPointer

  static let reserve = 1 << 32

  init?(_ address: UInt64) {
    guard let base = UnsafeMutableRawPointer(bitPattern: UInt(address)) else { return nil }
    self.base = base
  }

  static func make(_ value: Value, _ version: UInt64, since: UInt64) -> Node {
    let base = rac_shim_allocate(40).unsafelyUnwrapped
    let node = Node(UInt64(UInt(bitPattern: base))).unsafelyUnwrapped
    node.count.initialize(to: Atomic<Int>(reserve))
    node.version.pointee = version
    node.since.pointee = since
    node.value.pointee = value
    return node
  }

  var address: UInt64 { UInt64(UInt(bitPattern: base)) }
  private var count: UnsafeMutablePointer<Atomic<Int>> {
    base.assumingMemoryBound(to: Atomic<Int>.self)
  }
  /// Of this value, and of the first of the counted ones that came one after another up to it.
  var version: UnsafeMutablePointer<UInt64> { (base + 8).assumingMemoryBound(to: UInt64.self) }
  var since: UnsafeMutablePointer<UInt64> { (base + 16).assumingMemoryBound(to: UInt64.self) }
  var value: UnsafeMutablePointer<Value> { (base + 24).assumingMemoryBound(to: Value.self) }

  func subtract(_ number: Int) {
    let left = count.pointee.wrappingSubtract(number, ordering: .acquiringAndReleasing).newValue
    guard left == 0 else { return }
    let value = value.pointee
    rac_shim_free(base)
    // May run code of the user's.
    value.release()
  }
}
