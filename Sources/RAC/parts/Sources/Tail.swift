import CRACShims

/// A signal of the lines of a file that grows, through its rotations.
///
///     is written --a\nb---c\n----
///     tail       --a------bc-----
///
/// A line comes when its newline does, which is not part of it, as for rac_signal_lines(). It never
/// completes. The file need not be there yet; its directory must be.
///
/// When another file is at the path, and something is in that, the rest of the old one comes, and
/// then the new one from its beginning: a writer that goes on with the old one until it opens the
/// new one loses no line. A file that has become shorter than what was read of it is read from its
/// beginning. Bytes behind the last newline of the one before are a line, too.
///
/// It is told of changes by inotify, which does not know what other machines write to a shared file
/// system. It fails with the errno of what it asks of the system: ENOENT where there is no
/// directory, or that has gone; EACCES where a file cannot be read; ENOSPC where no watch is left;
/// or with RAC_ERANGE, of domain "rac", at a line that is too long. The lines before come first.
///
/// - Parameter path: borrowed; the signal has a copy.
/// - Parameter start: RAC_TAIL_END: where the file ends when it is subscribed to;
///   RAC_TAIL_BEGINNING; or an offset that came with a line, to go on behind that. An offset behind
///   the end, and a file that is not there yet, stand for the beginning.
/// - Parameter offsets: false: it sends lines, strings, or bytes if they are not UTF-8; true:
///   tuples of three: the line; the offset behind it, an int64; the number of its file (st_ino in
///   stat()), an int64. Where the file at the path has another number, go on at its beginning.
/// - Parameter longest: the most bytes of a line, up to 2^30; 0 is 65,536.
/// - Parameter scheduler: borrowed; reads and sends there, all of it. NULL is the main one. Not the
///   immediate one, nor a virtual one.
/// - Returns: one reference; errors are of domain RAC_SYSTEM_ERROR_DOMAIN, their code an errno, if
///   not said otherwise. NULL with RAC_ENULL, RAC_EINVAL, RAC_ENOMEM, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_tail(
  _ path: CString?, _ start: Int64, _ offsets: Bool, _ longest: CSize, _ scheduler: CScheduler?
) -> CSignal? {
  guard let path else { return Border.fail(Status.null, "the path is NULL") }
  guard path.pointee != 0 else { return Border.fail(Status.invalid, "the path is empty") }
  guard start >= RAC_TAIL_END else { return Border.fail(Status.invalid, "no such start") }
  guard let most = Border.byteLimit(longest) else { return nil }
  guard Border.isReady() else { return nil }
  guard let path = TailedPath(path, start, offsets) else {
    Border.refuseMemory()
    return Border.none(Status.noMemory)
  }
  return Border.source(scheduler, of: path, most, "rac_signal_tail") { TailReader($0, $1) }
}

private final class TailedPath: CopiedText {
  let start: Int64
  let hasOffsets: Bool

  init?(_ path: CString, _ start: Int64, _ hasOffsets: Bool) {
    self.start = start
    self.hasOffsets = hasOffsets
    super.init(path)
  }
}

/// A file that was at the path, open: so no other one has its number meanwhile.
private final class TailedFile: Object {
  let file: rac_tailed
  /// Where it is read from.
  var start: Int64 = 0
  /// The one that was there after it.
  var next: TailedFile?

  init(_ file: rac_tailed) { self.file = file }

  var size: Int64 { rac_platform_tail_size(file.fd) }

  /// Whether its writer has gone on to another one.
  var isReplaced: Bool {
    guard let next else { return false }
    return next.next != nil || next.size > 0
  }
}

private final class TailReader: Reader {
  private enum Rest { case isToCome, wasCutOff, isAll, isLast }

  private let path: TailedPath
  private let longest: Int
  private var buffer = LineBuffer()
  /// The number of the directory in the news.
  private var directory: Int32 = -1
  /// The one that is read, and the one that was at the path last.
  private var file: TailedFile?
  private var latest: TailedFile?
  /// Where it is read on.
  private var position: Int64 = 0
  /// Another one has come: what is in this one now is all.
  private var isReplaced = false
  /// Whether what is in the buffer is the rest of the file, and why.
  private var rest = Rest.isToCome
  /// An errno; the lines that are there come before it.
  private var failure: Int32 = 0
  /// Whether the news may have been reported, and has been asked for in this turn.
  private var hasWaited = true
  private var hasAsked = false
  /// When it is asked in any case: a file that is behind may be replaced twice.
  private var nextLook: Int64 = 0
  private static let patience: Int64 = 20_000_000

  init(_ path: Object?, _ longest: Int) {
    self.path = unsafeDowncast(path.unsafelyUnwrapped, to: TailedPath.self)
    self.longest = longest
  }

  deinit { buffer.deallocate() }

  override var canWait: Bool { true }

  override func open() -> Int32 {
    let news = rac_platform_tail_open(path.text, &directory)
    if news < 0 { return news }
    failure = 0 &- look(news)
    if let size = file?.size {
      position = path.start == RAC_TAIL_END ? size : path.start > size ? 0 : path.start
    }
    return news
  }

  /// In a forked child, too: the watches are the parent's, and stay.
  override func close(_ news: Int32) {
    while let file {
      rac_shim_descriptor_close(file.file.fd)
      self.file = file.next
    }
    latest = nil
    super.close(news)
  }

  /// Opens what has come to the path.
  private func look(_ news: Int32) -> Int32 {
    while true {
      var found = latest?.file ?? rac_tailed(fd: -1, watch: -1, identity: rac_identity())
      let result = rac_platform_tail_look(news, path.text, &found)
      if result <= 0 { return result }
      let next = TailedFile(found)
      if let latest { latest.next = next } else { file = next }
      latest = next
    }
  }

  /// A turn after a rest reads on; the system is asked for news when there is nothing more.
  override func read(_ news: Int32, for source: Source, atMost limit: Int) -> PolledJob.Turn {
    hasAsked = false
    if hasWaited || rac_shim_now() >= nextLook { ask(news) }
    let turn = readOn(news, for: source, atMost: limit)
    hasWaited = turn == .waits
    return turn
  }

  private func ask(_ news: Int32) {
    hasAsked = true
    nextLook = rac_shim_now() &+ TailReader.patience
    if failure == 0 { failure = 0 &- rac_platform_tail_take(news, path.text, directory) }
    if failure == 0 { failure = 0 &- look(news) }
  }

  private func readOn(_ news: Int32, for source: Source, atMost limit: Int) -> PolledJob.Turn {
    while true {
      while source.sent < limit {
        if source.sent > 0, source.isHeld { return .rests }
        guard let line = buffer.next(orRest: rest != .isToCome) else { break }
        if line.count > longest { return source.endAtTooLongLine() }
        guard path.hasOffsets else {
          if source.send(line.text) { continue }
          return .waits
        }
        guard let value = withOffset(line) else { return source.end(Int32(RAC_SHIM_NO_MEMORY)) }
        let isHeard = source.send(value)
        value.release()
        if !isHeard { return .waits }
      }
      if source.sent == limit { return .hasMore }
      if buffer.isFull(of: longest) { return source.endAtTooLongLine() }
      guard let file, rest != .isLast else {
        return failure == 0 ? .waits : source.end(failure)
      }
      if rest == .isToCome {
        let room = buffer.makeRoom(atMost: longest &+ 2)
        if room == 0 { return source.end(Int32(RAC_SHIM_NO_MEMORY)) }
        let got = rac_shim_descriptor_read_at(file.file.fd, buffer.room, room, position)
        if got < 0 { return source.stopped(got) }
        buffer.add(Int(got))
        position &+= got
        if got == 0 && !hasAsked {
          ask(news)
        } else if got == 0 && !isAtEnd(of: file) {
          return .waits
        }
      } else {
        position = rest == .isAll ? goOn(from: file, news) : 0
        rest = .isToCome
      }
    }
  }

  /// After a read that gave nothing; false: more may come. When another file has come it is read
  /// once more: its writer may have written before that.
  private func isAtEnd(of file: TailedFile) -> Bool {
    if file.size < position {
      rest = .wasCutOff
    } else if isReplaced {
      rest = .isAll
    } else if file.isReplaced {
      isReplaced = true
    } else if failure != 0 {
      rest = .isLast
    } else {
      return false
    }
    return true
  }

  /// The path may be the old one's again, which has the same watch, and is read on where it was
  /// left. Gives where the next one begins.
  private func goOn(from old: TailedFile, _ news: Int32) -> Int64 {
    let identity = old.file.identity
    var isWatched = false
    var later = old.next
    while let file = later {
      isWatched = isWatched || file.file.watch == old.file.watch
      if file.file.identity.inode == identity.inode && file.file.identity.device == identity.device
      {
        file.start = position
      }
      later = file.next
    }
    if !isWatched { rac_platform_tail_forget(news, old.file.watch) }
    rac_shim_descriptor_close(old.file.fd)
    file = old.next
    isReplaced = false
    return file?.start ?? 0
  }

  /// Owned; nil: there is no memory for it.
  private func withOffset(_ line: Line) -> Value? {
    guard let file, let kept = line.text.retainedIfPossible() else { return nil }
    let offset = position &- Int64(buffer.count)
    let number = Int64(truncatingIfNeeded: file.file.identity.inode)
    return .tuple(3) { $0 == 0 ? kept : .int64($0 == 1 ? offset : number) }
  }
}
