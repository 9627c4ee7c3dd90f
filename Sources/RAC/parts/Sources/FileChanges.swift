import CRACShims

/// A signal of what happens to a file, or to a directory and what is in it.
///
///     in a directory mkdir a   rm b
///     file_changes   -------1--2---   (each a tuple: what, name, number)
///
/// By inotify. It watches the file that is at the path when it is subscribed to, and completes
/// after the change that takes it from there: removed (IN_DELETE_SELF), renamed (IN_MOVE_SELF),
/// unmounted (IN_UNMOUNT); these come also when they were not asked for. rac_signal_repeat() then
/// watches the next file at the path. It fails with ENOENT where there is none, with EACCES, and
/// with other errors of inotify.
///
/// - Parameter path: borrowed; the signal has a copy.
/// - Parameter changes: of those in sys/inotify.h, such as IN_MODIFY | IN_CREATE; IN_ONLYDIR,
///   IN_DONT_FOLLOW and IN_EXCL_UNLINK may be among them. 0: modified, created, deleted, renamed.
/// - Parameter scheduler: borrowed; sends there. NULL is the main one. Not the immediate one, nor a
///   virtual one.
/// - Returns: one reference; it sends tuples of three: what, an int64 of bits as inotify has them;
///   the name in the directory, a string (bytes if it is not UTF-8), empty for the watched file
///   itself; a number, an int64, that the two halves of a renaming share. IN_Q_OVERFLOW says that
///   there were more than the system kept: look for yourself. Errors are of domain
///   RAC_SYSTEM_ERROR_DOMAIN. NULL with RAC_ENULL, RAC_EINVAL, RAC_ENOMEM, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_file_changes(
  _ path: CString?, _ changes: UInt32, _ scheduler: CScheduler?
) -> CSignal? {
  guard let path else { return Border.fail(Status.null, "the path is NULL") }
  guard changes & ~rac_platform_files_allowed == 0 else {
    return Border.fail(Status.invalid, "no such changes")
  }
  guard let path = Border.copy(path, "rac_signal_file_changes") else { return nil }
  let mask = changes == 0 ? rac_platform_files_usual : changes
  return Border.source(scheduler, of: path, Int(mask), "rac_signal_file_changes") {
    FileReader($0, UInt32(truncatingIfNeeded: $1))
  }
}

private final class FileReader: Reader {
  /// inotify gives whole events: the longest has a name of 255 bytes.
  private static let size = 4096

  private let path: CopiedText
  private let mask: UInt32
  private var identity = rac_identity()
  private var buffer: UnsafeMutableRawPointer?
  private var length = 0
  private var offset = 0

  init(_ path: Object?, _ mask: UInt32) {
    self.path = unsafeDowncast(path.unsafelyUnwrapped, to: CopiedText.self)
    self.mask = mask
  }

  deinit { rac_shim_free(buffer) }

  override func open() -> Int32 {
    buffer = rac_shim_allocate_checked(FileReader.size)
    if buffer == nil { return -Int32(RAC_SHIM_NO_MEMORY) }
    return rac_platform_files_open(path.text, mask, &identity)
  }

  override func read(_ descriptor: Int32, for source: Source, atMost limit: Int) -> PolledJob.Turn {
    if offset >= length {
      let got = rac_platform_read(descriptor, buffer, FileReader.size, false)
      if got <= 0 { return source.stopped(got) }
      (offset, length) = (0, Int(got))
    }
    while offset < length {
      if source.sent == limit { return .hasMore }
      var change = rac_file_change()
      rac_platform_files_next(buffer, &offset, path.text, mask, identity, &change)
      if change.is_wanted {
        guard let value = FileReader.value(change) else {
          return source.end(Int32(RAC_SHIM_NO_MEMORY))
        }
        let isHeard = source.send(value)
        value.release()
        if !isHeard { return .waits }
      }
      if change.is_last { return source.complete() }
    }
    return .waits
  }

  /// Owned; nil: there is no memory for it.
  private static func value(_ change: rac_file_change) -> Value? {
    let name = Value.text(UnsafeRawPointer(change.name.unsafelyUnwrapped), change.name_length)
    guard let kept = name.retainedIfPossible() else { return nil }
    return .tuple(3) {
      $0 == 1 ? kept : .int64(Int64($0 == 0 ? change.mask : change.cookie))
    }
  }
}
