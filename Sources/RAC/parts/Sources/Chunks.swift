import CRACShims

/// A signal of the bytes that can be read from a descriptor, as they come.
///
///     arrives --ab-----c----|
///     chunks  --ab-----c----|   (ab: one value, of two bytes)
///
/// Each value is the result of one read(). The next one waits until the subscriber has returned, so
/// a full pipe or socket holds up its writer.
///
/// It completes at the end of the file, and fails with the errno of read().
///
/// - Parameter descriptor: open, to read. A subscription reads a duplicate of it, opened and closed
///   with it: closing yours ends no subscription. Subscribing when the number is another file's
///   fails with EBADF. Its O_NONBLOCK is left as it is. A file on a disk, /dev/null and such are
///   read in turns, from where the descriptor is.
/// - Parameter ownership: RAC_DESCRIPTOR_LENT: it stays yours; RAC_DESCRIPTOR_OWNED: the library
///   closes it when the signal, all its subscriptions and what goes on below them are gone, and
///   those of others that it was handed over to, or here when there is no signal.
/// - Parameter size: the most bytes of a value, up to 2^30; 0 is 65,536.
/// - Parameter scheduler: borrowed; reads and sends there, all of it. NULL is the main one. Not the
///   immediate one, nor a virtual one.
/// - Returns: one reference; it sends bytes, and fails with errors of domain
///   RAC_SYSTEM_ERROR_DOMAIN, their code an errno. Several subscriptions share the bytes, as
///   several readers do. NULL with RAC_EINVAL, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_chunks(
  _ descriptor: CInt, _ ownership: Int32, _ size: CSize, _ scheduler: CScheduler?
) -> CSignal? {
  Border.source(descriptor, ownership, scheduler, most: size, "rac_signal_chunks") {
    ChunkReader($0, $1)
  }
}

final class ChunkReader: BufferReader {
  override func read(_ descriptor: Int32, for source: Source, atMost limit: Int) -> PolledJob.Turn {
    guard let buffer else { return source.end(Int32(RAC_SHIM_NO_MEMORY)) }
    let got = rac_platform_read(descriptor, buffer, size, source.isAlwaysReady)
    if got > 0 {
      let length = UInt32(truncatingIfNeeded: got)
      _ = source.send(
        Value(Value.Kind.bytes, flags: Value.Flag.view, length: length, pointer: buffer))
      return .waits
    }
    return source.stopped(got)
  }
}

extension Source {
  /// The turn after a read that gave nothing.
  func stopped(_ answer: Int64) -> Turn {
    if answer == 0 { return complete() }
    if answer == -Int64(RAC_SHIM_AGAIN) { return .waits }
    return end(Int32(truncatingIfNeeded: 0 &- answer))
  }
}
