import CRACShims
import Synchronization

/// A descriptor of the program's that sources read or write. They do it through numbers of their
/// own, so that this one may be closed, and be another file's, at any time.
final class Descriptor: Object {
  let number: Int32
  /// It was handed over: closed with its last user.
  private let isOwned: Bool
  private let identity: rac_identity
  /// A subscription reads the number itself: nobody else knows one that was handed over.
  private let isInUse = Atomic<Bool>(false)

  init(_ number: Int32, _ identity: rac_identity, isOwned: Bool) {
    self.number = number
    self.identity = identity
    self.isOwned = isOwned
    if isOwned { rac_shim_descriptor_own(number) }
  }

  deinit { if isOwned { rac_shim_descriptor_close_owned(number) } }

  /// A number for one subscription, or an errno with its sign turned: EBADF where this is another
  /// file by now. The first subscription of one that was handed over has the number itself; a poll
  /// set knows each number once, so others have duplicates.
  func open() -> Int32 {
    if isOwned && !isInUse.exchange(true, ordering: .acquiring) {
      if rac_platform_is(number, identity) { return number }
      isInUse.store(false, ordering: .relaxed)
      return 0 &- Int32(RAC_SHIM_BAD)
    }
    return rac_platform_duplicate(number, identity)
  }

  /// What `open` gave.
  func close(_ opened: Int32) {
    if isOwned && opened == number {
      isInUse.store(false, ordering: .releasing)
    } else {
      rac_shim_descriptor_close(opened)
    }
  }
}

/// Reads or writes a descriptor of the program's.
class DescriptorReader: Reader {
  final let file: Descriptor

  /// What `Border.source` gives.
  init(_ file: Object?) { self.file = unsafeDowncast(file.unsafelyUnwrapped, to: Descriptor.self) }

  override final var canWait: Bool { true }
  override final func open() -> Int32 { file.open() }
  override final func close(_ descriptor: Int32) { file.close(descriptor) }
}

extension Border {
  private static let mostBytes = 1 << 30

  /// A signal of a descriptor. One that was handed over is closed here when there is no signal.
  /// `most`: how many bytes somebody wants in a value; 0 stands for the usual number.
  @inline(never)
  static func source(
    _ number: Int32, _ ownership: Int32, _ scheduler: OpaquePointer?, isWriting: Bool = false,
    most: CSize = 0, _ function: StaticString,
    _ make: @escaping (Object?, Int) -> Reader
  ) -> OpaquePointer? {
    guard ownership == RAC_DESCRIPTOR_LENT || ownership == RAC_DESCRIPTOR_OWNED else {
      return fail(Status.invalid, "no such ownership", in: function)
    }
    let isOwned = ownership == RAC_DESCRIPTOR_OWNED
    let size = most == 0 ? 65_536 : count(most)
    var identity = rac_identity()
    let result = rac_platform_look(number, isWriting, &identity)
    guard result == 0, size <= mostBytes, isReady(function) else {
      if isOwned && result != -Int32(RAC_SHIM_BAD) { rac_shim_descriptor_close(number) }
      if result == 0 {
        return size > mostBytes ? fail(Status.invalid, "more bytes than 2^30", in: function) : nil
      }
      return fail(
        Status.invalid,
        result == -Int32(RAC_SHIM_BAD)
          ? "the descriptor is not open"
          : isWriting
            ? "the descriptor is not open to write" : "the descriptor is not open to read",
        in: function
      )
    }
    let file = Descriptor(number, identity, isOwned: isOwned)
    return source(scheduler, of: file, size, isWriting: isWriting, function, make)
  }
}
