import CRAC

/// A datagram that has come, with its sender's address; or one that is to be sent, with the address
/// that it goes to.
public struct Datagram: Hashable, Sendable {
  /// Its contents.
  public let bytes: [UInt8]
  /// `127.0.0.1:40312`, `[::1]:40312`, `unix:/path`; empty where the sender has none.
  public let address: String
  /// How long it was: more than `bytes` when there was no room for all of it.
  public let length: Int

  /// One to send, or as a test wants it.
  public init(_ bytes: [UInt8], _ address: String, length: Int? = nil) {
    self.bytes = bytes
    self.address = address
    self.length = length ?? bytes.count
  }
}

extension Signal<Datagram> {
  /// Sends the datagrams that come to a socket, with the addresses of their senders.
  ///
  ///     arrive           --a--b---c----
  ///     datagrams(from:) --a--b---c----
  ///
  /// Map one to its answer, a `Datagram` with the same address, and `written(to:)` sends that by
  /// the same socket. It never completes. While a place below is full, datagrams wait with the
  /// system, which drops those that it has no room for.
  ///
  /// - Parameters:
  ///   - descriptor: a socket of datagrams, such as `connections(at: "udp:127.0.0.1:53")` sends.
  ///   - size: the most bytes of a datagram, up to 2^30; a longer one is cut off.
  ///   - closesDescriptor: whether the descriptor is closed when the signal and all observations
  ///     are gone, and others to which it was handed over.
  ///   - scheduler: where it reads and sends; not the immediate one, nor a virtual one.
  public static func datagrams(
    from descriptor: Int32, upTo size: Int = 65_536, closesDescriptor: Bool = false,
    on scheduler: Scheduler = .main
  ) -> Signal<Datagram> {
    withExtendedLifetime(scheduler) {
      converting(
        rac_signal_datagrams(
          descriptor, ownership(closesDescriptor), notNegative(size), scheduler.pointer)
      ) {
        Datagram(
          try decoded(rac_tuple_get($0, 0)), try repairedText(rac_tuple_get($0, 1)),
          length: try part(of: $0, 2, as: Int.self))
      }
    }
  }
}

extension SignalProtocol where Value == Datagram {
  /// Sends each datagram to its address, and sends how many bytes are out.
  ///
  ///     source       --ab--c------|
  ///     written(to:) ----2--3-------|   (so many bytes in all)
  ///
  /// One that cannot be delivered there is lost, also where its address is empty; an address that
  /// is not in numbers fails it.
  ///
  /// - Parameters:
  ///   - descriptor: a socket of datagrams without a peer, such as
  ///     `connections(at: "udp:127.0.0.1:53")` sends.
  ///   - closesDescriptor: whether the descriptor is closed when the signal and all observations
  ///     are gone, and others to which it was handed over.
  ///   - bound: of what waits; its capacity counts bytes. nil: without a bound.
  ///   - scheduler: where it writes and sends; not the immediate one, nor a virtual one.
  public func written(
    to descriptor: Int32, closesDescriptor: Bool = false, bound: Bound? = nil,
    on scheduler: Scheduler = .main
  ) -> Signal<Int> {
    let source = signal
    let context = MapContext { value, out in
      do {
        let datagram: Datagram = try decoded(value)
        let address = datagram.address
        datagram.bytes.withUnsafeBytes { bytes in
          address.withCString { text in
            let parts = [
              rac_value_bytes_view(bytes.baseAddress, bytes.count),
              rac_value_string_view(text, address.utf8.count),
            ]
            out.pointee = rac_value_tuple(parts, parts.count)
          }
        }
        return 0
      } catch {
        return raise(error)
      }
    }
    return withExtendedLifetime((source, bound, scheduler)) {
      let tuples = rac_signal_map(
        source.pointer, context.passed, MapContext.call, MapContext.release)
      defer { rac_release(UnsafeMutableRawPointer(tuples)) }
      return Signal<Int>(
        adopting: rac_signal_write(
          tuples, descriptor, ownership(closesDescriptor), bound?.pointer, scheduler.pointer))
    }
  }
}
