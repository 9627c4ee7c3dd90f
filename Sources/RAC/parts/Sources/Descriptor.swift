import CRACShims

/// A descriptor of the program's that sources read or write. They do it through numbers of their
/// own, so that this one may be closed, and be another file's, at any time.
final class Descriptor: Object {
  let number: Int32
  /// It was handed over: closed with the last who uses it, of all to whom it was.
  let isOwned: Bool
  private let identity: rac_identity

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
    if isOwned && rac_shim_descriptor_use(number) {
      if rac_platform_is(number, identity) { return number }
      rac_shim_descriptor_leave(number)
      return 0 &- Int32(RAC_SHIM_BAD)
    }
    return rac_platform_duplicate(number, identity)
  }

  /// What `open` gave.
  func close(_ opened: Int32) {
    if isOwned && opened == number {
      rac_shim_descriptor_leave(number)
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
  /// A signal of what can be read from a descriptor, or of when it is ready. `most`: how many bytes
  /// somebody wants in a value; 0 stands for the usual number.
  @inline(never)
  static func source(
    _ number: Int32, _ ownership: Int32, _ scheduler: OpaquePointer?, isWriting: Bool = false,
    most: CSize = 0, _ function: StaticString,
    _ make: @escaping (Object?, Int) -> Reader
  ) -> OpaquePointer? {
    guard let file = descriptor(number, ownership, isWriting: isWriting, function),
      let most = byteLimit(most, function)
    else { return nil }
    return source(scheduler, of: file, most, isWriting: isWriting, function, make)
  }

  /// A descriptor that can be read, or written. One that was handed over is closed here when it
  /// cannot.
  @inline(never)
  static func descriptor(
    _ number: Int32, _ ownership: Int32, isWriting: Bool, _ function: StaticString
  ) -> Descriptor? {
    guard ownership == RAC_DESCRIPTOR_LENT || ownership == RAC_DESCRIPTOR_OWNED else {
      return none(Failure.record(Status.invalid, "no such ownership", in: function))
    }
    let isOwned = ownership == RAC_DESCRIPTOR_OWNED
    var identity = rac_identity()
    let result = rac_platform_look(number, isWriting, &identity)
    if result == 0 && isReady(function) {
      return Descriptor(number, identity, isOwned: isOwned)
    }
    if isOwned && result != -Int32(RAC_SHIM_BAD) {
      rac_shim_descriptor_own(number)
      rac_shim_descriptor_close_owned(number)
    }
    if result == 0 { return nil }
    return none(
      Failure.record(
        Status.invalid,
        result == -Int32(RAC_SHIM_BAD)
          ? "the descriptor is not open"
          : isWriting
            ? "the descriptor is not open to write" : "the descriptor is not open to read",
        in: function
      ))
  }
}
