import CRACShims

/// Connects to an address, and sends the connection.
///
///     address  example.org:80
///     connect  ------c|   (c: a connection)
///
/// The value keeps the connection open: rac_socket_descriptor() gives its number. Hand that over,
/// with RAC_DESCRIPTOR_OWNED, to each signal that reads or writes it, here two:
///
///     int fd = rac_socket_descriptor(connection);
///     lines = rac_signal_lines(fd, RAC_DESCRIPTOR_OWNED, 0, NULL);
///     sent = rac_signal_write(requests, fd, RAC_DESCRIPTOR_OWNED, NULL, NULL);
///
/// It is closed when the value and all of these signals are gone. rac_signal_retry_with_backoff()
/// around both connects again.
///
/// - Parameter address: borrowed; the signal has a copy. "host:port", the host a name or numbers;
///   "[::1]:port"; "unix:/path"; "unix:@name", of Linux's abstract kind; with "udp:" before it, for
///   datagrams, of which each is one value of rac_signal_chunks() and of rac_signal_write(). All
///   addresses that a name has are tried, one after the other. Each subscription has its name
///   resolved on a thread of its own, which goes when that is done; a program that is linked
///   statically may have nobody to do that, and needs numbers.
/// - Parameter timeout: seconds in which it has to connect; less than 0: as many as the system
///   takes. It fails with RAC_SIGNAL_TIMED_OUT, of domain "rac.signal", when they are over.
/// - Parameter scheduler: borrowed; sends there. NULL is the main one. Not the immediate one, nor a
///   virtual one.
/// - Returns: one reference; it sends one value, and fails with errors of domain
///   RAC_SYSTEM_ERROR_DOMAIN, ECONNREFUSED and such; ENXIO when there is no such name. NULL with
///   RAC_ENULL, RAC_EINVAL, RAC_ENOMEM, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_connect(
  _ address: CString?, _ timeout: Double, _ scheduler: CScheduler?
) -> CSignal? {
  let function: StaticString = "rac_signal_connect"
  guard let (text, _) = Border.address(address, listens: false, function) else { return nil }
  guard let home = Border.home(scheduler, function) else { return nil }
  return Border.give(function) {
    let signal = SourceSignal(function, home, text, 0, isWriting: false) { text, _ in
      ConnectReader(text)
    }.named(function)
    guard let nanoseconds = Duration.nanoseconds(timeout) else { return signal }
    return signal.timeout(Timing(nanoseconds: nanoseconds, scheduler: home))
  }
}

/// Listens at an address, and sends each connection that is made there.
///
///     clients  --a---b----
///     listen   --a---b----   (each a connection)
///
/// A value is as those of rac_signal_connect() are, and is handed over in the same way; the
/// connection of one that nobody keeps is closed. rac_socket_peer() says who has connected. It
/// never completes. While a place below is full (law 26) connections wait with the system, as many
/// as `backlog` says. So they do when the process has no descriptor left, or no memory, and it
/// tries again every tenth of a second.
///
/// Datagrams have no connections: at an address with "udp:" before it it sends the socket itself,
/// for rac_signal_datagrams() and rac_signal_write(), and completes.
///
/// A socket of a path is made in place of one that is left there and at which nobody listens. It is
/// left there in its turn.
///
/// - Parameter address: borrowed; the signal has a copy. As for rac_signal_connect(), but the host
///   is no name: "127.0.0.1:8080", "0.0.0.0:8080", "[::]:8080" for all of both kinds,
///   "unix:/path", "unix:@name", "udp:127.0.0.1:53". Port 0 lets the system choose one.
/// - Parameter backlog: how many connections wait with the system; 0: as many as it allows.
/// - Parameter listening: borrowed, retained; is sent the address, a string with the port that the
///   system has chosen, by each subscription that begins to listen, before subscribing returns.
///   NULL: nobody is.
/// - Parameter scheduler: borrowed; sends there. NULL is the main one. Not the immediate one, nor a
///   virtual one.
/// - Returns: one reference; errors are of domain RAC_SYSTEM_ERROR_DOMAIN, EADDRINUSE and such.
///   NULL with RAC_ENULL, RAC_EINVAL, RAC_ENOMEM, RAC_ESTALE or RAC_EKIND.
///
/// Since: 0.1
@c public func rac_signal_listen(
  _ address: CString?, _ backlog: CInt, _ listening: CSubject?, _ scheduler: CScheduler?
) -> CSignal? {
  let function: StaticString = "rac_signal_listen"
  guard let (text, kind) = Border.address(address, listens: true, function) else { return nil }
  if listening == nil { return listen(text, nil) }
  return Border.use(listening, .subjects, as: Subject.self, function) { listen(text, $0) }

  func listen(_ text: CopiedText, _ listening: Subject?) -> OpaquePointer? {
    let place = ListenAddress(text, listening)
    if kind == Int32(RAC_ADDRESS_OF_DATAGRAMS) {
      // Which can be written at once.
      return Border.source(scheduler, of: place, 0, isWriting: true, function) { place, _ in
        BindReader(place)
      }
    }
    return Border.source(scheduler, of: place, Int(backlog), function) {
      ListenReader($0, Int32(truncatingIfNeeded: $1))
    }
  }
}

/// The descriptor of a connection that rac_signal_connect() or rac_signal_listen() has sent. It
/// does not wait (O_NONBLOCK), and is closed on exec.
///
/// - Parameter socket: borrowed; the descriptor is open as long as it, or until the last signal
///   goes that it was handed over to.
/// - Returns: a number; -1 with RAC_EKIND when it is no connection. Since: 0.1
@c public func rac_socket_descriptor(_ socket: rac_value) -> CInt {
  inside(socket)?.pointee.fd ?? -1
}

/// The address of the other side of a connection.
///
/// - Parameter socket: borrowed; the result is valid as long as it is.
/// - Returns: text, such as "127.0.0.1:40312", "[::1]:40312", "unix:" for a client without a path;
///   "" for a socket that listens for datagrams, and with RAC_EKIND when it is no connection.
///   Since: 0.1
@c public func rac_socket_peer(_ socket: rac_value) -> CString? {
  let none: StaticString = ""
  guard let socket = inside(socket) else {
    return UnsafeRawPointer(none.utf8Start).assumingMemoryBound(to: CChar.self)
  }
  return rac_shim_socket_text(socket)
}

private func inside(
  _ value: rac_value, _ function: StaticString = #function
) -> UnsafeMutablePointer<rac_shim_socket>? {
  guard value.kind == Value.Kind.pointer, value.length == PointerTypes.shared.socket else {
    Failure.record(Status.kind, "the value is no connection", in: function)
    return nil
  }
  return value.foreignPointer?.assumingMemoryBound(to: rac_shim_socket.self)
}

extension Value {
  /// A connection, owned; it takes the descriptor over. nil: there is no memory, and it is closed.
  fileprivate static func socket(_ descriptor: Int32) -> Value? {
    guard let socket = rac_shim_socket_create(descriptor) else { return nil }
    let value = ownedPointer(socket, type: PointerTypes.shared.socket, rac_shim_socket_destroy)
    if value == nil { rac_shim_socket_destroy(socket) }
    return value
  }
}

extension Border {
  /// With its kind.
  fileprivate static func address(
    _ address: CString?, listens: Bool, _ function: StaticString
  ) -> (CopiedText, Int32)? {
    guard let address else {
      return none(Failure.record(Status.null, "the address is NULL", in: function))
    }
    let result = rac_platform_address_check(address, listens)
    if result >= 0 { return copy(address, function).map { ($0, result) } }
    return none(
      Failure.record(
        Status.invalid,
        result != -Int32(RAC_SHIM_NO_NAMES)
          ? "the address is not host:port, [v6]:port or unix:path"
          : listens
            ? "the host to listen at is no number"
            : "this program cannot resolve names: write the host as a number", in: function))
  }
}

private final class ConnectReader: Reader {
  private let address: CopiedText
  private var connecting: OpaquePointer?

  init(_ address: Object?) {
    self.address = unsafeDowncast(address.unsafelyUnwrapped, to: CopiedText.self)
  }

  override func open() -> Int32 { rac_platform_connect_open(address.text, &connecting) }

  override func read(_ descriptor: Int32, for source: Source, atMost limit: Int) -> PolledJob.Turn {
    let connected = rac_platform_connect_step(connecting)
    if connected < 0 { return source.stopped(Int64(connected)) }
    guard let socket = Value.socket(connected) else {
      return source.end(Int32(RAC_SHIM_NO_MEMORY))
    }
    return source.complete(with: socket)
  }

  override func close(_ descriptor: Int32) {
    if let connecting = connecting.take() { rac_platform_connect_close(connecting) }
  }
}

private final class ListenAddress: Object {
  let address: CopiedText
  let listening: Subject?

  init(_ address: CopiedText, _ listening: Subject?) {
    self.address = address
    self.listening = listening
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(listening) }
}

extension ListenAddress {
  /// A descriptor, or an errno with its sign turned.
  fileprivate func open(_ backlog: Int32) -> Int32 {
    let descriptor = rac_platform_listen(address.text, backlog)
    if descriptor >= 0, let listening {
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
        guard let start = text.baseAddress else { return }
        rac_platform_address(descriptor, false, start, text.count)
        listening.send(.text(start, Int(rac_shim_length(start))))
      }
    }
    return descriptor
  }
}

/// Of datagrams: gives the socket away.
private final class BindReader: Reader {
  private let place: ListenAddress
  private var isGiven = false

  init(_ place: Object?) {
    self.place = unsafeDowncast(place.unsafelyUnwrapped, to: ListenAddress.self)
  }

  override func open() -> Int32 { place.open(0) }

  override func read(_ descriptor: Int32, for source: Source, atMost limit: Int) -> PolledJob.Turn {
    isGiven = true
    guard let socket = Value.socket(descriptor) else {
      return source.end(Int32(RAC_SHIM_NO_MEMORY))
    }
    return source.complete(with: socket)
  }

  override func close(_ descriptor: Int32) {
    if !isGiven { super.close(descriptor) }
  }
}

private final class ListenReader: Reader {
  /// Nanoseconds until the next try when there is no descriptor left.
  private static let pause: Int64 = 100_000_000

  private let place: ListenAddress
  private let backlog: Int32

  init(_ place: Object?, _ backlog: Int32) {
    self.place = unsafeDowncast(place.unsafelyUnwrapped, to: ListenAddress.self)
    self.backlog = backlog
  }

  override func open() -> Int32 { place.open(backlog) }

  override var canWait: Bool { true }

  override func read(_ descriptor: Int32, for source: Source, atMost limit: Int) -> PolledJob.Turn {
    while source.sent < limit {
      if source.sent > 0, source.isHeld { return .rests }
      let accepted = rac_platform_accept(descriptor)
      if accepted == -Int32(RAC_SHIM_NO_DESCRIPTOR) { return source.pause(ListenReader.pause) }
      if accepted < 0 { return source.stopped(Int64(accepted)) }
      guard let socket = Value.socket(accepted) else { return source.pause(ListenReader.pause) }
      let isHeard = source.send(socket)
      socket.release()
      if !isHeard { return .waits }
    }
    return .hasMore
  }
}
