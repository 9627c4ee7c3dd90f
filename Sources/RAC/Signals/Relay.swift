import Synchronization

/// The inside of an operator that subscribes to one signal after another: concat, repeat, retry, catch.
///
/// Its inputs follow each other, so their events go straight on without a gate. A source that ends
/// while it is being subscribed to only asks for the next one; the loop that is subscribing goes on
/// with it, so a million synchronous sources cost no stack.
class Relay: Object {
  final let downstream: Sink
  private let requests = Atomic<Int>(0)

  init(_ downstream: Sink) { self.downstream = downstream }

  /// What to subscribe to now; nil: nothing more comes, and the stream completes.
  func nextSource() -> Signal? { nil }
  func sourceCompleted() { advance() }
  func sourceFailed(_ error: Value) { downstream.error(error) }

  final func advance() {
    guard requests.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
    repeat {
      if downstream.scope.isActive {
        if let source = nextSource() {
          source.subscribe(RelaySink(self))
        } else {
          downstream.completed()
        }
      }
    } while requests.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue > 0
  }
}

/// A signal whose subscriptions are relays.
private final class RelayedSignal: Signal {
  private let relay: (Sink) -> Relay

  init(depth: Int32, _ relay: @escaping (Sink) -> Relay) {
    self.relay = relay
    super.init(depth: depth)
  }

  override func attach(_ sink: Sink) { relay(sink).advance() }
}

extension Signal {
  /// How an operator that subscribes to one signal after another is made.
  @inline(never)
  final func relay(_ operation: StaticString, _ relay: @escaping (Sink) -> Relay) -> Signal {
    RelayedSignal(depth: depth &+ 1, relay).named(operation, self)
  }
}

/// What a relay subscribes with: values pass, an end comes back to the relay.
private final class RelaySink: Sink {
  private let relay: Relay

  init(_ relay: Relay) {
    self.relay = relay
    super.init(scope: Scope())
    relay.downstream.scope.add(scope)
  }

  // After an error that a stage made of a value, its source may have more to send.
  override func next(_ value: Value) {
    if scope.isActive { relay.downstream.next(value) }
  }

  override func error(_ error: Value) {
    if scope.close() { relay.sourceFailed(error) }
  }

  override func completed() {
    if scope.close() { relay.sourceCompleted() }
  }

  deinit { relay.downstream.scope.remove(scope) }
}
