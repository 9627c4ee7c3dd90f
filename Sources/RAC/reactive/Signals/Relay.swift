import Synchronization

/// The inside of an operator that subscribes to one signal after another: concat, repeat, retry,
/// catch.
///
/// Its inputs follow each other, so their events go straight on without a gate. A source that ends
/// while it is being subscribed to only asks for the next one; the loop that is subscribing goes on
/// with it, so a million synchronous sources cost no stack.
class Relay: Object {
  final let downstream: Sink
  /// The contexts of what it subscribes to, one after another.
  @exclusivity(unchecked) private final var contextsAbove: Object?
  private final let requests = Atomic<Int>(0)

  init(_ downstream: Sink) { self.downstream = downstream }

  /// The signal to subscribe to now; nil: nothing more comes, and the stream completes.
  func nextSource() -> Signal? { nil }
  func sourceCompleted() { advance() }
  func sourceFailed(_ error: Value) { downstream.error(error) }
  /// See `Sink`; while its source is at rest.
  func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool { false }

  /// Nobody subscribes, nor will before the source says something.
  fileprivate final var rests: Bool { requests.load(ordering: .acquiring) == 0 }

  /// The first is subscribed to.
  final func begin(keeping contexts: Object?) {
    contextsAbove = contexts
    advance()
  }

  final func advance() {
    guard requests.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
    while true {
      if downstream.scope.isActive && !Process.isClosed {
        if let source = nextSource() {
          source.subscribe(RelaySink(self))
        } else {
          downstream.completed()
        }
      }
      if requests.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { return }
      // A source that ends while it is subscribed to may do so for ever.
      if let error = InterruptionHook.error {
        downstream.error(owned: error)
      }
    }
  }

  override func visitBase(_ visitor: inout Visitor) {
    // Reference counts order what a round left that is over: this load shows it to ThreadSanitizer.
    _ = rests
    visitor.reference(downstream)
    visitor.reference(contextsAbove)
  }
}

/// Subscribes to one source again and again.
class RepeatingRelay: Relay {
  private final let source: Signal

  init(_ source: Signal, _ downstream: Sink) {
    self.source = source
    super.init(downstream)
  }

  override func nextSource() -> Signal? { source }

  override func visitBase(_ visitor: inout Visitor) {
    super.visitBase(&visitor)
    visitor.reference(source)
  }
}

/// A signal whose subscriptions are relays.
private final class RelayedSignal: OperatorSignal {
  private let relay: (Signal, Sink) -> Relay

  init(
    _ source: Signal, besides others: Int32, holding held: Object?, keeping contexts: Object?,
    _ relay: @escaping (Signal, Sink) -> Relay
  ) {
    self.relay = relay
    super.init(source, besides: others, holding: held, keeping: contexts)
  }

  deinit { outlive(relay) }

  override func attach(_ sink: Sink) { relay(source, sink).begin(keeping: contextsAbove) }
}

extension Signal {
  /// How an operator that subscribes to one signal after another is made. `others` is the depth of
  /// further signals that it holds, whose contexts `more` keeps; `held`: see `lift`.
  @inline(never)
  final func relay(
    _ operation: StaticString, besides others: Int32 = 0, holding held: Object? = nil,
    and more: Object? = nil, _ relay: @escaping (Signal, Sink) -> Relay
  ) -> Signal {
    let contexts = ContextPair.of(contexts, more)
    return RelayedSignal(self, besides: others, holding: held, keeping: contexts, relay)
      .named(operation, self)
  }
}

/// The sink of a relay: values pass, an end comes back to the relay.
private final class RelaySink: Sink {
  private let relay: Relay

  init(_ relay: Relay) {
    self.relay = relay
    super.init(scope: Scope(), height: relay.downstream.height &+ 1)
    relay.downstream.scope.add(scope)
  }

  // After an error that a stage made of a value, its source may have more to send.
  override func next(_ value: Value) {
    if scope.isActive { relay.downstream.next(value) }
  }

  override var recordedBelow: RecordedBelow { relay.downstream.recordedBelow }

  override func holds(_ question: Question) -> Bool { relay.downstream.holds(question) }

  override func error(_ error: Value) {
    if scope.close() { relay.sourceFailed(error) }
  }

  override func completed() {
    if scope.close() { relay.sourceCompleted() }
  }

  deinit {
    relay.downstream.scope.remove(scope)
    if Stack.isTooShort(toTakeApart: height) { Stack.outlive(relay) }
  }

  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    scope.isActive && relay.rests && relay.goesAtEnd(withValue: withValue, &visitor)
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(relay) }
}
