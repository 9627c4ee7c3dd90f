import Synchronization

/// One subscription to a source, shared through a subject. RACMulticastConnection.
final class Connection: Object {
  private let source: Signal
  let subject: Subject
  /// The subscription to the source; the same for every caller of connect.
  let subscription = Scope()
  private let isConnected = Atomic<Bool>(false)
  /// Guards the handle, which names the subscription as long as somebody has a reference to it.
  private let lock = Lock()
  private var handle: OpaquePointer?
  fileprivate let audience: Audience

  init(_ source: Signal, _ subject: Subject) {
    self.source = source
    self.subject = subject
    audience = Audience(subscription)
  }

  // Connections in a row are no chain whose length is known.
  deinit {
    if Stack.hasRoom() { return }
    Stack.outlive(source)
    Stack.outlive(subject)
  }

  /// Subscribes the subject to the source, the first time; never again.
  @discardableResult
  func connect() -> Scope {
    if !isConnected.exchange(true, ordering: .acquiringAndReleasing) {
      source.subscribe(SubjectSink(subject, scope: subscription))
    }
    return subscription
  }

  /// Connects; one reference to the disposable of the subscription, in the same handle for all who
  /// have one.
  func makeConnectedHandle() -> OpaquePointer {
    let subscription = connect()
    lock.lock()
    defer { lock.unlock() }
    if let handle, Handles.retain(handle) != nil { return handle }
    let fresh = Handles.make(subscription, .plainDisposable)
    handle = fresh
    return fresh
  }

  /// A signal that connects with its first subscriber and disconnects with its last.
  func autoconnect() -> Signal {
    ConnectingSignal(self, disconnects: true).named("autoconnect", subject)
  }

  override func visit(_ visitor: inout Visitor) {
    visitor.reference(source)
    visitor.reference(subject)
  }
}

/// The listeners by way of an autoconnect. They keep no more of the connection than this, or its
/// subject would keep itself, by way of them.
private final class Audience: Object {
  private let subscription: Scope
  private let count = Atomic<Int>(0)

  init(_ subscription: Scope) { self.subscription = subscription }

  func enter() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// The last one turns off the light.
  func leave() {
    let left = count.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    // Not close(): the source may be such a connection, too, and end in here.
    if left.newValue == 0 { subscription.dispose() }
  }
}

/// A signal that connects when it is first subscribed to. If it is to, it disconnects with its last
/// subscriber.
private final class ConnectingSignal: Signal {
  private let connection: Connection
  private let disconnects: Bool

  init(_ connection: Connection, disconnects: Bool) {
    self.connection = connection
    self.disconnects = disconnects
    super.init(depth: connection.subject.depth &+ 1)
  }

  override func attach(_ sink: Sink) {
    guard disconnects else {
      connection.connect()
      return connection.subject.subscribe(sink)
    }
    connection.audience.enter()
    connection.subject.subscribe(AutoconnectSink(connection.audience, sink))
    connection.connect()
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(connection) }
}

/// Counts itself out when it is let go, however that comes about.
private final class AutoconnectSink: Stage {
  private let audience: Audience

  init(_ audience: Audience, _ downstream: Sink) {
    self.audience = audience
    super.init(downstream)
  }

  deinit { audience.leave() }
}

extension Signal {
  /// C: rac_signal_publish. RAC: -publish
  func publish() -> Connection { multicast(Subject().named("publish", self)) }

  /// C: rac_signal_multicast. RAC: -multicast:
  func multicast(_ subject: Subject) -> Connection { Connection(self, subject) }

  /// Subscribes now and for good, and replays everything. C: rac_signal_replay. RAC: -replay
  func replay(capacity: Int = .max) -> Signal {
    let connection = multicast(ReplaySubject(capacity: capacity).named("replay", self))
    connection.connect()
    return connection.subject
  }

  /// Subscribes with the first subscriber, and replays everything. C: rac_signal_replay_lazily.
  /// RAC: -replayLazily
  func replayLazily() -> Signal {
    let subject = ReplaySubject(capacity: .max)
    return ConnectingSignal(multicast(subject), disconnects: false).named("replayLazily", self)
  }
}
