import CRACShims
import Synchronization

/// A thing that a scope can hold. It knows its place there (an intrusive list), so joining and
/// leaving cost the same among two and among a million.
class Link: Disposable {
  /// In the list of the scope that holds it, if that has one. Guarded by that scope's lock.
  @exclusivity(unchecked) final var place: Int32 = -1
  private final let word = Atomic<UInt32>(0)
  /// Whether the subscriber's context was destroyed.
  final var drained: Drained { Drained(word) }
  final var isDrained: Bool { drained.isDone }

  /// The subscriber's context was destroyed.
  final func markDrained() { drained.mark() }

  /// Another thread is disposing it: when this returns, one of them has seen to it that nothing is
  /// called any more. `silently`: the same where there is no stack for it; no code of the user's
  /// runs, and nothing is let go of.
  func assist(silently: Bool) {}
}

/// Where there are callbacks of the user's: whether they may still be called, or are gone, and
/// destroy has run. A word of the subscription's, for a caller that keeps that.
struct Drained {
  private let word: UnsafePointer<Atomic<UInt32>>
  private static let done: UInt32 = 1
  /// Somebody waits for it.
  private static let awaited: UInt32 = 2
  /// They are not called any more, but may be there yet.
  private static let closed: UInt32 = 4

  @inline(__always)
  init(_ word: borrowing Atomic<UInt32>) {
    self.word = atomicAddress(word).assumingMemoryBound(to: Atomic<UInt32>.self)
  }

  func mark() {
    let before = word.pointee.bitwiseOr(Drained.done, ordering: .acquiringAndReleasing).oldValue
    if before & Drained.awaited != 0 { rac_shim_futex_wake(word, .max) }
  }

  var isDone: Bool { word.pointee.load(ordering: .acquiring) & Drained.done != 0 }

  /// For subscriptions that keep no word of their own for that. True for the one who closed it.
  func close() -> Bool {
    let before = word.pointee.bitwiseOr(Drained.closed, ordering: .acquiringAndReleasing).oldValue
    return before & Drained.closed == 0
  }

  /// Closed, or done.
  var isClosed: Bool {
    word.pointee.load(ordering: .acquiring) & (Drained.closed | Drained.done) != 0
  }

  /// False when `timeout` nanoseconds (negative: for ever) passed first, or the wait was in vain.
  func wait(timeout: Int64) -> Bool {
    let deadline = timeout < 0 ? .max : rac_shim_now() &+ timeout
    let end = Parker.wait(at: UnsafeRawPointer(word), until: deadline) {
      let now = word.pointee.bitwiseOr(Drained.awaited, ordering: .acquiringAndReleasing).newValue
      return now & Drained.done != 0 ? nil : now
    }
    return end == .woken
  }
}

/// The links of a scope that has more than one, in the order they came. Owns them. Used under the
/// scope's lock.
struct LinkList {
  private var entries: UnsafeMutablePointer<Unmanaged<Link>?>?
  private var capacity: Int32 = 0
  /// Entries in use, holes included.
  private var used: Int32 = 0
  private var count: Int32 = 0
  private var leaving: Unmanaged<Link>?

  /// Takes over a reference.
  mutating func append(_ link: Unmanaged<Link>) {
    if used == capacity {
      if count < used / 2 { compact() } else { grow() }
    }
    link._withUnsafeGuaranteedRef { $0.place = used }
    entries.unsafelyUnwrapped[Int(used)] = link
    used &+= 1
    count &+= 1
  }

  /// The one that came last and another one take each other's place. No-op when that is not in this
  /// list.
  mutating func exchange(_ link: Unmanaged<Link>, _ other: Link) {
    let place = other.place
    guard place >= 0, let entries else { return }
    entries[Int(place)] = link
    entries[Int(used) &- 1] = .passUnretained(other)
    link._withUnsafeGuaranteedRef { $0.place = place }
    other.place = used &- 1
  }

  /// There is no room for another one, unless it is made.
  var isFull: Bool { used == capacity }

  /// The references to those that are spent.
  mutating func takeSpent() -> [Unmanaged<Link>] {
    var spent: [Unmanaged<Link>] = []
    guard let entries else { return spent }
    for index in Places(Int(used)) {
      if let link = entries[index],
        link._withUnsafeGuaranteedRef({ ($0 as? Dependent)?.isSpent ?? false })
      {
        entries[index] = nil
        link._withUnsafeGuaranteedRef { $0.place = -1 }
        count &-= 1
        spent.append(link)
      }
    }
    return spent
  }

  /// The reference to the link; nil when it is not in this list.
  @inline(__always)
  mutating func remove(_ link: Link) -> Unmanaged<Link>? {
    let place = link.place
    guard place >= 0, place < used, let entries, let found = entries[Int(place)],
      found.toOpaque() == Unmanaged.passUnretained(link).toOpaque()
    else { return nil }
    entries[Int(place)] = nil
    link.place = -1
    count &-= 1
    // Links that come and go beside those that stay leave no hole.
    while used > 0, entries[Int(used) &- 1] == nil { used &-= 1 }
    return found
  }

  /// Takes out the one that came last.
  mutating func popLast() -> Unmanaged<Link>? {
    leaving = nil
    while used > 0 {
      used &-= 1
      guard let link = entries.unsafelyUnwrapped[Int(used)] else { continue }
      link._withUnsafeGuaranteedRef { $0.place = -1 }
      count &-= 1
      leaving = link
      return link
    }
    return nil
  }

  /// Those in it, and the one that was taken out last, whose taker keeps it until the next one.
  func forEach(_ body: (Link) -> Void) {
    leaving?._withUnsafeGuaranteedRef(body)
    for index in Places(Int(used)) {
      entries.unsafelyUnwrapped[index]?._withUnsafeGuaranteedRef(body)
    }
  }

  /// One after another, retained, for a caller that lets others change the list in between: with
  /// the one that was taken out last at the end, when nothing else is left. Only in a closed scope,
  /// where none comes and none changes its place.
  mutating func next(from place: inout Int32) -> Unmanaged<Link>? {
    while place >= 0, place < used {
      let link = entries.unsafelyUnwrapped[Int(place)]
      place &+= 1
      if let link { return link.retain() }
    }
    if place < 0 { return nil }
    place = -1
    return leaving?.retain()
  }

  private mutating func grow() {
    let size = Int(capacity) &* MemoryLayout<Unmanaged<Link>?>.stride
    capacity = capacity == 0 ? 4 : capacity &* 2
    let larger = Int(capacity) &* MemoryLayout<Unmanaged<Link>?>.stride
    entries = rac_shim_enlarge(entries, size, larger)
      .unsafelyUnwrapped.assumingMemoryBound(to: Unmanaged<Link>?.self)
  }

  private mutating func compact() {
    let entries = entries.unsafelyUnwrapped
    var to: Int32 = 0
    var from: Int32 = 0
    while from < used {
      if let link = entries[Int(from)] {
        entries[Int(to)] = link
        link._withUnsafeGuaranteedRef { $0.place = to }
        to &+= 1
      }
      from &+= 1
    }
    used = to
  }

  /// Lets go of everything, in a loop, without disposing it.
  mutating func deallocate() {
    while let link = popLast() { link.drop() }
    rac_shim_free(entries)
  }
}
