import CRACShims

/// A signal of the lines that can be read from a descriptor.
///
///     arrives --a\nb---c\n----d|
///     lines   --a------bc-----d|
///
/// A line ends with "\n" or "\r\n", which is not part of it; text after the last line ending is a
/// line too. A line is a string, or bytes if it is not UTF-8. Reading goes on when the subscriber
/// has returned from all lines that are there, so a full pipe or socket holds up its writer.
///
/// It completes at the end of the file. It fails with the errno of read(), and drops half a line,
/// or with RAC_ERANGE, of domain "rac", at a line that is too long.
///
/// The source reads ahead. When a subscription ends, it sets the offset of a file on a disk back to
/// behind the last line that was sent, unless another reader has moved it meanwhile: so
/// rac_signal_take() of 1 twice gives two lines. From a pipe or a socket the bytes read ahead are
/// lost. Have one subscription there, and share it: with rac_signal_publish() and
/// rac_signal_concat() of several takes, or by rac_sequence_from_signal().
///
/// - Parameter descriptor: open, to read. A subscription reads a duplicate of it, opened and closed
///   with it: closing yours ends no subscription. Subscribing when the number is another file's
///   fails with EBADF. Its O_NONBLOCK is left as it is. A file on a disk, /dev/null and such are
///   read in turns, from where the descriptor is.
/// - Parameter ownership: RAC_DESCRIPTOR_LENT: it stays yours; RAC_DESCRIPTOR_OWNED: the library
///   closes it when the signal, all its subscriptions and what goes on below them are gone, and
///   those of others that it was handed over to, or here when there is no signal.
/// - Parameter longest: the most bytes of a line, up to 2^30; 0 is 65,536.
/// - Parameter scheduler: borrowed; reads and sends there, all of it. NULL is the main one. Not the
///   immediate one, nor a virtual one.
/// - Returns: one reference; errors are of domain RAC_SYSTEM_ERROR_DOMAIN, their code an errno, if
///   not said otherwise. One subscription at a time: a second one would get other parts. NULL with
///   RAC_EINVAL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_lines(
  _ descriptor: CInt, _ ownership: Int32, _ longest: CSize, _ scheduler: CScheduler?
) -> CSignal? {
  Border.source(descriptor, ownership, scheduler, most: longest, "rac_signal_lines") {
    LineReader($0, $1)
  }
}

final class LineReader: DescriptorReader {
  private let longest: Int
  private var buffer = LineBuffer()
  private var isAtEnd = false
  /// Where the file is once all that was read is; -1 where that cannot be said.
  private var position: Int64 = -1

  init(_ file: Object?, _ longest: Int) {
    self.longest = longest
    super.init(file)
  }

  deinit { buffer.deallocate() }

  override func read(_ descriptor: Int32, for source: Source, atMost limit: Int) -> PolledJob.Turn {
    var hasRead = false
    while true {
      while source.sent < limit {
        if source.sent > 0, source.isHeld { return .rests }
        guard let line = buffer.next(orRest: isAtEnd) else { break }
        if line.count > longest {
          buffer.takeBack()
          return source.endAtTooLongLine()
        }
        let before = source.sent
        if !source.send(line.text) {
          if source.sent == before { buffer.takeBack() }
          return .waits
        }
      }
      if source.sent == limit { return .hasMore }
      if isAtEnd { return source.complete() }
      if buffer.isFull(of: longest) { return source.endAtTooLongLine() }
      if hasRead { return .waits }
      let room = buffer.makeRoom(atMost: longest &+ 2)
      if room == 0 { return source.end(Int32(RAC_SHIM_NO_MEMORY)) }
      if source.isAlwaysReady && position < 0 {
        position = rac_shim_descriptor_position(descriptor)
      }
      let got = rac_platform_read(descriptor, buffer.room, room, source.isAlwaysReady)
      if got < 0 { return source.stopped(got) }
      if position >= 0 { position &+= got }
      isAtEnd = got == 0
      hasRead = !isAtEnd
      buffer.add(Int(got))
    }
  }

  override func giveBack(_ descriptor: Int32) {
    guard position >= 0, buffer.count > 0 else { return }
    rac_shim_descriptor_go_back(descriptor, position, buffer.count)
    buffer.clear()
  }
}

extension Source {
  func endAtTooLongLine() -> Turn { end(Status.range, "a line is longer than was allowed") }
}
