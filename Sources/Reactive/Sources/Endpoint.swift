import CRAC

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A connection, to read and to write: a server's with a client, or a client's with a server.
///
///     let service = Endpoint.listen(port: 7007).serve { client in
///       for try await line in client.lines.values(buffering: .waiting(16)) {
///         try await client.write("you said: \(line)\n")
///       }
///     }
///
/// It is closed when nothing reads it any more and all is written: when the endpoint has gone, and
/// the observations of its signals with it. Nothing that was written before is lost then.
public final class Endpoint: Sendable, CustomStringConvertible {
  private enum Writing {
    case open
    case finished
    case failed(any Error)
  }

  private let socket: Socket
  private let scheduler: Scheduler
  private let outgoing: Subject<[UInt8]>
  private let writing: Locked<Writing>
  /// Sends when all is out, or fails.
  private let out = Subject<Void>(replaying: 1)

  /// - Parameter waiting: how many bytes may wait to be written; what is written beyond that waits
  ///   in its task.
  /// - Throws: an `EngineError` where there is no memory for it.
  init(_ socket: Socket, waiting: Int, on scheduler: Scheduler) throws {
    let bound = Bound(waiting, .wait)
    let outgoing = try Subject<[UInt8]>(bound: bound)
    let writing = Locked(Writing.open)
    self.socket = socket
    self.scheduler = scheduler
    self.outgoing = outgoing
    self.writing = writing
    outgoing
      .written(to: socket.descriptor, closesDescriptor: true, bound: bound, on: scheduler)
      .observe { _ in
      } completion: { [out, weak outgoing] end in
        if case .failed(let error) = end {
          writing.withLock { $0 = .failed(error) }
          out.send(error: error)
          // Those who wait for room hear of it.
          outgoing?.complete()
        } else {
          out.send()
          out.complete()
        }
      }
  }

  deinit { outgoing.complete() }

  /// The address of the other side: `127.0.0.1:40312`, `[::1]:40312`, `unix:/path`.
  public var peer: String { socket.peer }
  /// For people.
  public var description: String { "endpoint of \(peer)" }

  // MARK: Reading

  /// The bytes that come, as they come, until the other side ends. One observation at a time: two
  /// share them.
  public var bytes: Signal<[UInt8]> {
    .bytes(from: socket.descriptor, closesDescriptor: true, on: scheduler)
  }

  /// The lines that come, of at most 64 KiB each. See `Signal.lines(from:)`.
  public var lines: Signal<String> { lines(longest: 65_536) }

  /// The lines that come. It fails at one that is longer.
  public func lines(longest: Int) -> Signal<String> {
    .lines(from: socket.descriptor, longest: longest, closesDescriptor: true, on: scheduler)
  }

  /// The frames that come, each with its length before it. See `split(byLengthOf:)`.
  ///
  /// - Parameters:
  ///   - width: how many bytes the length has, that of least value last: 1, 2, 4 or 8.
  ///   - longest: the most bytes of a frame: a longer one fails it.
  public func frames(byLengthOf width: Int = 4, longest: Int = 65_536) -> Signal<[UInt8]> {
    bytes.split(byLengthOf: width, longest: longest)
  }

  // MARK: Writing

  /// Writes bytes behind what was written before; waits as long as too much waits to be written.
  /// When it returns they are on their way: `finish` waits until all are out.
  ///
  /// Several tasks may write; what one call writes stays together.
  ///
  /// - Throws: an `EngineError` that has a `systemErrorNumber`: EPIPE where nobody reads any more,
  ///   or after `finish`; `CancellationError`, and then nothing of it is written.
  public func write(
    _ bytes: [UInt8], isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try checkOpen()
    let sent = try await outgoing.sendWhenRoom(bytes, isolation: isolation)
    try checkOpen()
    if !sent.isAccepted { throw Endpoint.closed }
  }

  /// Writes a text as UTF-8, without an end of line of its own.
  public func write(
    _ text: String, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try await write(Array(text.utf8), isolation: isolation)
  }

  /// Writes a frame with its length before it, as `frames` reads it.
  ///
  /// - Parameters:
  ///   - frame: its bytes, fewer than the length can say.
  ///   - width: how many bytes the length has, that of least value last: 1, 2, 4 or 8.
  ///   - isolation: where it goes on, which is where it was called.
  public func write(
    frame: [UInt8], byLengthOf width: Int = 4, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    guard width > 0, width == 8 || width < 8 && frame.count >> (8 * width) == 0 else {
      throw EngineError(
        domain: "rac", code: Int(RAC_EINVAL),
        message: "\(width) bytes have no room for the length \(frame.count)")
    }
    let length = (0..<width).map {
      UInt8(truncatingIfNeeded: frame.count >> (8 * (width - 1 - $0)))
    }
    try await write(length + frame, isolation: isolation)
  }

  /// Ends writing, and waits until all is out. Then the other side reads the end; what it sends can
  /// still be read here.
  ///
  /// - Throws: an `EngineError` that has a `systemErrorNumber` where not all could be written.
  public func finish() async throws {
    writing.withLock { if case .open = $0 { $0 = .finished } }
    outgoing.complete()
    try await out.first()
  }

  private func checkOpen() throws {
    switch writing.withLock({ $0 }) {
    case .open: return
    case .finished: throw Endpoint.closed
    case .failed(let error): throw error
    }
  }

  private static var closed: EngineError {
    EngineError(
      domain: RAC_SYSTEM_ERROR_DOMAIN, code: Int(EPIPE), message: "nothing is written any more")
  }
}

extension Endpoint {
  /// Listens on a port, and sends an endpoint for each client. It never completes.
  ///
  /// - Parameters:
  ///   - port: 0 lets the system choose one.
  ///   - host: in numbers; "0.0.0.0" and "[::]" are all of this machine's.
  ///   - listening: is sent the address when an observation begins to listen.
  ///   - scheduler: where everything is read and written; not the immediate one, nor a virtual one.
  public static func listen(
    port: Int, host: String = "127.0.0.1", listening: Subject<String>? = nil,
    on scheduler: Scheduler = .main
  ) -> Signal<Endpoint> {
    listen(at: "\(host):\(port)", listening: listening, on: scheduler)
  }

  /// Listens at an address, and sends an endpoint for each client. See `Signal.connections(at:)`.
  ///
  /// - Parameters:
  ///   - address: `host:port`, the host in numbers, or `unix:/path`.
  ///   - waiting: how many bytes may wait to be written to each.
  ///   - listening: is sent the address when an observation begins to listen.
  ///   - scheduler: where everything is read and written; not the immediate one, nor a virtual one.
  public static func listen(
    at address: String, waiting: Int = 65_536, listening: Subject<String>? = nil,
    on scheduler: Scheduler = .main
  ) -> Signal<Endpoint> {
    Signal.connections(at: address, listening: listening, on: scheduler).map {
      try Endpoint($0, waiting: waiting, on: scheduler)
    }
  }

  /// Connects to an address, sends the endpoint, and completes. See `Signal.connection(to:)`.
  ///
  /// - Parameters:
  ///   - address: `host:port`, the host a name or numbers, or `unix:/path`.
  ///   - timeout: in which it has to connect; nil: as long as the system takes.
  ///   - waiting: how many bytes may wait to be written.
  ///   - scheduler: where everything is read and written; not the immediate one, nor a virtual one.
  public static func connect(
    to address: String, timeout: Duration? = nil, waiting: Int = 65_536,
    on scheduler: Scheduler = .main
  ) -> Signal<Endpoint> {
    Signal.connection(to: address, timeout: timeout, on: scheduler).map {
      try Endpoint($0, waiting: waiting, on: scheduler)
    }
  }
}

/// A client that has been served.
public struct ServedClient: Sendable, CustomStringConvertible {
  /// Its address.
  public let peer: String
  /// How serving it ended: nil for well, else what was thrown.
  public let error: (any Error)?

  /// The address, with the error.
  public var description: String { error.map { "\(peer): \($0)" } ?? peer }
}

extension SignalProtocol where Value == Endpoint {
  /// Runs a function for each client, in a task of its own, and sends how it went when it has
  /// ended. An error that one throws ends that one alone. An endpoint is closed behind its
  /// function.
  ///
  ///     let stop = Signal.posixSignal(SIGTERM)
  ///     for try await client in clients.prefixUntil(stop).serve({ … }).values { log("\(client)") }
  ///
  /// Clients that are being served when the source completes are served to their end; disposing
  /// cancels their tasks.
  ///
  /// - Parameters:
  ///   - most: how many at a time; more wait with the system.
  ///   - serve: gets the client.
  public func serve(
    atMost most: Int = 1024, _ serve: @escaping @Sendable (Endpoint) async throws -> Void
  ) -> Signal<ServedClient> {
    flatMap(maxConcurrent: most) { client in
      Signal<ServedClient> { () async -> ServedClient in
        do {
          try await serve(client)
          return ServedClient(peer: client.peer, error: nil)
        } catch {
          return ServedClient(peer: client.peer, error: error)
        }
      }
    }
  }
}
