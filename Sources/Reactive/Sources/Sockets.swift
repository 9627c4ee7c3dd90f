import CRAC

/// A connection that `connection(to:)` or `connections(at:)` has sent.
///
/// It is open as long as this object, and as the signals to which its descriptor was handed over
/// with `closesDescriptor`: those that read it and those that write it, each of them.
public final class Socket: Sendable, CustomStringConvertible {
  private let value: rac_value

  init(_ value: rac_value) throws {
    guard rac_socket_descriptor(value) >= 0 else { throw EngineError.latest() }
    self.value = rac_value_retain(value)
  }

  deinit { rac_value_release(value) }

  /// Its number: it does not wait, and is closed on exec.
  public var descriptor: Int32 { withExtendedLifetime(self) { rac_socket_descriptor(value) } }

  /// The address of the other side: `127.0.0.1:40312`, `[::1]:40312`, `unix:/path`.
  public var peer: String {
    withExtendedLifetime(self) { rac_socket_peer(value).map { String(cString: $0) } ?? "" }
  }

  /// For people.
  public var description: String { "socket \(descriptor) of \(peer)" }
}

extension Signal<Socket> {
  /// Connects to an address, sends the connection, and completes.
  ///
  ///     address          example.org:80
  ///     connection(to:)  ------c|   (c: a connection)
  ///
  /// Hand its descriptor over, with `closesDescriptor: true`, to each signal that reads or writes
  /// it; it is closed with the last of them. `retry(pausing:)` around them connects again. It
  /// fails with an `EngineError` that has a `systemErrorNumber`, or that `isTimeout`.
  ///
  /// - Parameters:
  ///   - address: `host:port`, the host a name or numbers; `[::1]:port`; `unix:/path`; `unix:@name`
  ///     of Linux's abstract kind; with `udp:` before it, for datagrams. Names are resolved
  ///     on a thread of their own.
  ///   - timeout: in which it has to connect; nil: as long as the system takes.
  ///   - scheduler: where it sends; not the immediate one, nor a virtual one.
  public static func connection(
    to address: String, timeout: Duration? = nil, on scheduler: Scheduler = .main
  ) -> Signal<Socket> {
    withExtendedLifetime(scheduler) {
      converting(rac_signal_connect(address, timeout?.seconds ?? -1, scheduler.pointer)) {
        try Socket($0)
      }
    }
  }

  /// Listens at an address, and sends each connection that is made there.
  ///
  ///     clients          --a---b----
  ///     connections(at:) --a---b----
  ///
  /// It never completes, and goes on when the process has no descriptor left. A socket of a path is
  /// made in place of one at which nobody listens. Datagrams have no connections: at
  /// `udp:127.0.0.1:53` it sends the socket itself, for `datagrams(from:)`, and completes.
  ///
  /// - Parameters:
  ///   - address: as for `connection(to:)`, but the host is no name: `127.0.0.1:8080`,
  ///     `[::]:8080`. Port 0 lets the system choose one.
  ///   - backlog: how many connections wait with the system; 0: as many as it allows.
  ///   - listening: is sent the address, with the port that the system has chosen, when an
  ///     observation begins to listen.
  ///   - scheduler: where it sends; not the immediate one, nor a virtual one.
  public static func connections(
    at address: String, backlog: Int = 0, listening: Subject<String>? = nil,
    on scheduler: Scheduler = .main
  ) -> Signal<Socket> {
    withExtendedLifetime((scheduler, listening)) {
      converting(
        rac_signal_listen(
          address, Int32(clamping: backlog), listening?.pointer, scheduler.pointer)
      ) { try Socket($0) }
    }
  }
}

extension SignalProtocol where Value == [UInt8] {
  /// Writes the values to a descriptor, in order, and sends how many bytes are out.
  ///
  ///     source       --ab--c------|
  ///     written(to:) ----2--3-------|   (so many bytes in all)
  ///
  /// Values that the descriptor does not take yet wait, and several of them go out together. It
  /// completes when all is out; an error of the source's comes behind what was sent before it. It
  /// fails with an `EngineError` that has a `systemErrorNumber`: EPIPE where nobody reads any more,
  /// ENOSPC on a full disk. No SIGPIPE comes of it.
  ///
  /// - Parameters:
  ///   - descriptor: open, to write.
  ///   - closesDescriptor: whether the descriptor is closed when the signal and all observations
  ///     are gone, and others to which it was handed over. Then the other side of a connection
  ///     reads the end when all is out, while its answers can still be read here.
  ///   - bound: of what waits; its capacity counts bytes. nil: without a bound.
  ///   - scheduler: where it writes and sends; not the immediate one, nor a virtual one.
  public func written(
    to descriptor: Int32, closesDescriptor: Bool = false, bound: Bound? = nil,
    on scheduler: Scheduler = .main
  ) -> Signal<Int> {
    withExtendedLifetime((bound, scheduler)) {
      ofBytes(self) {
        Signal<Int>(
          adopting: rac_signal_write(
            $0, descriptor, ownership(closesDescriptor), bound?.pointer, scheduler.pointer))
      }
    }
  }

  /// Cuts what comes in portions at each delimiter; what is behind the last one is a part, too.
  ///
  ///     source          --a--b--c--|   a: ab;c, b: d;, c: e
  ///     split(by: ";")  --d--f-----(e|)   d: ab, f: cd
  ///
  /// - Parameters:
  ///   - delimiter: not empty.
  ///   - longest: the most bytes of a part, up to 2^30: a longer one fails it.
  public func split(by delimiter: [UInt8], longest: Int = 65_536) -> Signal<[UInt8]> {
    withBytes(delimiter) { delimiter in
      ofBytes(self) { framed(rac_signal_split_by_delimiter($0, delimiter, notNegative(longest))) }
    }
  }

  /// Cuts what comes in portions into frames with their length before them.
  ///
  ///     source                --a--b--c--|   a: \2a, b: b\1, c: c
  ///     split(byLengthOf: 1)  -----d--c--|   d: ab
  ///
  /// It fails when the source completes inside a frame.
  ///
  /// - Parameters:
  ///   - width: how many bytes the length has: 1, 2, 4 or 8. It does not count itself.
  ///   - littleEndian: whether the byte of least value comes first.
  ///   - longest: the most bytes of a frame, up to 2^30: a longer one fails it.
  public func split(
    byLengthOf width: Int, littleEndian: Bool = false, longest: Int = 65_536
  ) -> Signal<[UInt8]> {
    ofBytes(self) {
      framed(
        rac_signal_split_by_length($0, notNegative(width), littleEndian, notNegative(longest)))
    }
  }

  /// Cuts what comes in portions where a closure says.
  ///
  /// - Parameters:
  ///   - longest: the most bytes of a frame, up to 2^30: a longer one fails it.
  ///   - measure: gets all bytes that are there; how many of them the first frame has, 0 as long as
  ///     it is not whole.
  public func split(
    longest: Int = 65_536, by measure: @escaping @Sendable ([UInt8]) throws -> Int
  ) -> Signal<[UInt8]> {
    ofBytes(self) {
      let context = MapContext { value, out in
        do {
          out.pointee = rac_int64(Int64(try measure(decoded(value))))
          return 0
        } catch {
          return raise(error)
        }
      }
      return framed(
        rac_signal_split_by(
          $0, context.passed, MapContext.call, notNegative(longest), MapContext.release))
    }
  }

  /// Sends each value with a delimiter behind it, which nobody looks for inside of it.
  ///
  ///     source              --a--b--|   a: ab, b: c
  ///     delimited(by: ";")  --d--e--|   d: ab;, e: c;
  ///
  /// - Parameters:
  ///   - delimiter: not empty.
  ///   - longest: the most bytes of a value, up to 2^30: a longer one fails it.
  public func delimited(by delimiter: [UInt8], longest: Int = 65_536) -> Signal<[UInt8]> {
    withBytes(delimiter) { delimiter in
      ofBytes(self) { framed(rac_signal_add_delimiter($0, delimiter, notNegative(longest))) }
    }
  }

  /// Sends each value with its length before it.
  ///
  ///     source                   --a--b--|   a: ab, b: c
  ///     prefixed(byLengthOf: 1)  --d--e--|   d: \2ab, e: \1c
  ///
  /// - Parameters:
  ///   - width: how many bytes the length has: 1, 2, 4 or 8.
  ///   - littleEndian: whether the byte of least value comes first.
  ///   - longest: the most bytes of a value, up to 2^30: a longer one fails it.
  public func prefixed(
    byLengthOf width: Int, littleEndian: Bool = false, longest: Int = 65_536
  ) -> Signal<[UInt8]> {
    ofBytes(self) {
      framed(rac_signal_add_length($0, notNegative(width), littleEndian, notNegative(longest)))
    }
  }
}

private func framed(_ made: OpaquePointer?) -> Signal<[UInt8]> {
  converting(made) { try decoded($0) }
}

private func withBytes<Result>(_ bytes: [UInt8], _ body: (rac_value) -> Result) -> Result {
  bytes.withUnsafeBytes { body(rac_value_bytes_view($0.baseAddress, $0.count)) }
}

/// Calls with a signal of the engine's own bytes.
func ofBytes<S: SignalProtocol<[UInt8]>, Made>(
  _ source: S, _ make: (OpaquePointer?) -> Made
) -> Made {
  let source = source.signal
  let context = MapContext { value, out in
    do {
      let bytes: [UInt8] = try decoded(value)
      out.pointee = bytes.withUnsafeBytes { rac_value_bytes_copy($0.baseAddress, $0.count) }
      return 0
    } catch {
      return raise(error)
    }
  }
  let bytes = withExtendedLifetime(source) {
    rac_signal_map(source.pointer, context.passed, MapContext.call, MapContext.release)
  }
  defer { rac_release(UnsafeMutableRawPointer(bytes)) }
  return make(bytes)
}

extension SignalProtocol where Value == String {
  /// Writes the values as UTF-8, as `written(to:)` of bytes does; add the ends of lines yourself.
  public func written(
    to descriptor: Int32, closesDescriptor: Bool = false, bound: Bound? = nil,
    on scheduler: Scheduler = .main
  ) -> Signal<Int> {
    map { Array($0.utf8) }
      .written(to: descriptor, closesDescriptor: closesDescriptor, bound: bound, on: scheduler)
  }
}
