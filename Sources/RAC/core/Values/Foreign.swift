import CRACShims
import Synchronization

/// Pointers of the user's.
extension Value {
  static func ownedPointer(
    _ pointer: UnsafeMutableRawPointer?, type: UInt32, _ destroy: rac_destroy_fn?
  ) -> Value? {
    guard let box = Box.make(payload: 0) else { return nil }
    box.word(2).pointee = Int(bitPattern: pointer)
    box.setOwner(nil, destroy)
    return Value(Kind.pointer, flags: Flag.counted, length: type, pointer: box.base)
  }

  /// The user's pointer in a pointer or an object.
  var foreignPointer: UnsafeMutableRawPointer? {
    isCounted && !isBare ? Box(address.unsafelyUnwrapped).pointer(2) : address
  }
}

/// The names of pointer types: a pointer value carries a small number in place of the name.
///
/// A list that only grows, without a lock, so that a forked child may use it in any state that
/// other threads of the parent left.
final class PointerTypes {
  nonisolated(unsafe) private static var booted: PointerTypes? = nil
  static var shared: PointerTypes { booted.unsafelyUnwrapped }

  /// Called once, when the library is loaded.
  static func boot() { booted = PointerTypes() }

  /// Two words, the next entry and the name; the place in the list is the number. This one has no
  /// name.
  private let head = Entry(rac_shim_allocate(16).unsafelyUnwrapped)

  private struct Entry {
    let base: UnsafeMutableRawPointer
    init(_ base: UnsafeMutableRawPointer) { self.base = base }

    var next: UnsafeMutablePointer<Atomic<UInt>> { base.assumingMemoryBound(to: Atomic<UInt>.self) }
    var name: UnsafeMutablePointer<UnsafePointer<CChar>> {
      (base + 8).assumingMemoryBound(to: UnsafePointer<CChar>.self)
    }
  }

  /// The type of the commands in errors that commands make.
  private(set) var command: UInt32 = 0
  /// That of connections.
  private(set) var socket: UInt32 = 0

  init() {
    head.next.initialize(to: Atomic<UInt>(0))
    command = number(named: "rac_command")
    socket = number(named: "rac_socket")
  }

  @inline(__always)
  private func number(named name: StaticString) -> UInt32 {
    number(UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)) ?? 0
  }

  /// 0 for no name; nil when it is new and may not be added, or there is no memory for it. The same
  /// text gets the same number; the copy of it that was added must stay valid.
  func number(_ name: UnsafePointer<CChar>?, adding: Bool = true) -> UInt32? {
    guard let name else { return 0 }
    var number: UInt32 = 1
    var last = head
    var fresh: UnsafeMutableRawPointer? = nil
    while true {
      var next = last.next.pointee.load(ordering: .acquiring)
      if next == 0 {
        if fresh == nil && adding { fresh = PointerTypes.makeEntry(name) }
        guard let fresh else { return nil }
        let (appended, now) = last.next.pointee.replace(0, with: UInt(bitPattern: fresh))
        if appended { return number }
        next = now
      }
      last = Entry(UnsafeMutableRawPointer(bitPattern: next).unsafelyUnwrapped)
      if Value.sameText(name, last.name.pointee) {
        rac_shim_free(fresh)
        return number
      }
      number &+= 1
    }
  }

  private static func makeEntry(_ name: UnsafePointer<CChar>) -> UnsafeMutableRawPointer? {
    guard let base = rac_shim_allocate_checked(16) else { return nil }
    let entry = Entry(base)
    entry.next.initialize(to: Atomic<UInt>(0))
    entry.name.pointee = name
    return base
  }
}
