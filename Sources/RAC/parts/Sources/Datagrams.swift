import CRACShims

/// A signal of the datagrams that come to a socket, each with the address of its sender.
///
///     arrive     --a--b---c----
///     datagrams  --a--b---c----   (each: bytes, address, length)
///
/// A tuple of an answer and that address is what rac_signal_write() sends back by the same socket.
/// It never completes: an empty datagram is a value like any other. While a place below is full
/// (law 26) datagrams wait with the system, which drops those that it has no room for; SO_RCVBUF
/// says how much that is.
///
/// - Parameter descriptor: a socket of datagrams, such as rac_signal_listen() sends of
///   "udp:127.0.0.1:53". A subscription reads a duplicate of it, opened and closed with it: closing
///   yours ends no subscription. Subscribing when the number is another file's fails with EBADF.
///   Its O_NONBLOCK is left as it is.
/// - Parameter ownership: RAC_DESCRIPTOR_LENT: it stays yours; RAC_DESCRIPTOR_OWNED: the library
///   closes it when the signal, all its subscriptions and what goes on below them are gone, and
///   those of others that it was handed over to, or here when there is no signal.
/// - Parameter size: the most bytes of a datagram, up to 2^30; 0 is 65,536, for which none is too
///   long. A longer one is cut off: then its length is more than the bytes that are there.
/// - Parameter scheduler: borrowed; reads and sends there, all of it. NULL is the main one. Not the
///   immediate one, nor a virtual one.
/// - Returns: one reference. It sends tuples of three: bytes; a string, "127.0.0.1:40312",
///   "[::1]:40312" or "unix:/path", "" where the sender has no address; an int64, the length of the
///   datagram. It fails with errors of domain RAC_SYSTEM_ERROR_DOMAIN, their code an errno. Several
///   subscriptions share the datagrams, as several readers do. NULL with RAC_EINVAL, RAC_ESTALE or
///   RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_datagrams(
  _ descriptor: CInt, _ ownership: Int32, _ size: CSize, _ scheduler: CScheduler?
) -> CSignal? {
  let function: StaticString = "rac_signal_datagrams"
  guard let file = Border.descriptor(descriptor, ownership, isWriting: false, function),
    let size = Border.byteLimit(size, function)
  else { return nil }
  let kind = rac_platform_writing(file.number)
  if kind != UInt32(RAC_WRITING_DATAGRAMS) && kind != UInt32(RAC_WRITING_ADDRESSED) {
    return Border.fail(Status.invalid, "the descriptor is no socket of datagrams", in: function)
  }
  return Border.source(scheduler, of: file, size, function) { DatagramReader($0, $1) }
}

private final class DatagramReader: BufferReader {
  override func read(_ descriptor: Int32, for source: Source, atMost limit: Int) -> PolledJob.Turn {
    guard let buffer else { return source.end(Int32(RAC_SHIM_NO_MEMORY)) }
    while source.sent < limit {
      if source.sent > 0, source.isHeld { return .rests }
      var failure: Int64 = 0
      guard let datagram = receive(descriptor, buffer, &failure) else {
        return failure < 0 ? source.stopped(failure) : source.end(Int32(RAC_SHIM_NO_MEMORY))
      }
      let isHeard = source.send(datagram)
      datagram.release()
      if !isHeard { return .waits }
    }
    return .hasMore
  }

  /// Owned. nil: an errno with its sign turned, or there is no memory.
  private func receive(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ failure: inout Int64
  ) -> Value? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: DatagramAddress.room) { sender in
      guard let from = sender.baseAddress else { return nil }
      var length = 0
      let got = rac_platform_receive(descriptor, buffer, size, from, sender.count, &length)
      if got < 0 {
        failure = got
        return nil
      }
      let parts = [
        Value(
          Value.Kind.bytes, flags: Value.Flag.view, length: UInt32(truncatingIfNeeded: got),
          pointer: buffer),
        Value.text(from, Int(rac_shim_length(from))),
        Value.int64(Int64(length)),
      ]
      return parts.withUnsafeBufferPointer { Value.tuple($0) }
    }
  }
}

/// A datagram that is to be sent waits as bytes: the address, a NUL, and what it has in it.
enum DatagramAddress {
  /// The longest text of an address, and a NUL.
  static let room = 128

  enum Answer { case sound(Value), noAddress, noTuple, noMemory }

  /// Of a tuple of a text and an address. Owned.
  static func join(_ tuple: Value) -> Answer {
    guard tuple.kind == Value.Kind.tuple, tuple.elements.count >= 2, tuple.elements[0].isText,
      tuple.elements[1].isText
    else { return .noTuple }
    let address = tuple.elements[1].bytes
    guard address.count < room else { return .noAddress }
    return withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { head in
      if address.count > 0 { head.copyMemory(from: address) }
      head[address.count] = 0
      guard let start = head.baseAddress,
        rac_platform_is_destination(start.assumingMemoryBound(to: CChar.self))
      else { return .noAddress }
      let whole = UnsafeRawBufferPointer(start: start, count: address.count &+ 1)
      return Value.joining(whole, tuple.elements[0].bytes).map { .sound($0) } ?? .noMemory
    }
  }

  /// How many bytes went, or an errno with its sign turned.
  static func send(_ joined: UnsafeRawBufferPointer, by descriptor: Int32) -> Int64 {
    guard let start = joined.baseAddress else { return 0 }
    let address = start.assumingMemoryBound(to: CChar.self)
    let head = Int(rac_shim_length(address)) &+ 1
    return rac_platform_send_to(descriptor, address, start + head, joined.count &- head)
  }
}
