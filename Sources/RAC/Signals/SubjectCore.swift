import Synchronization

/// The inside of a subject: its subscribers behind a gate.
///
/// It is apart from the subject so that subscriptions can refer to it without keeping the subject
/// alive: when nobody can send any more, the subject goes and its subscriptions are let go.
class SubjectCore: Core {
  final var subscribers = SubscriberList()

  /// How many there are, for those outside the gate.
  private let published = Atomic<Int>(0)

  final var subscriberCount: Int { published.load(ordering: .relaxed) }

  final func publishCount() { published.store(subscribers.count, ordering: .relaxed) }

  /// One value, by a sender who found the gate free: nobody in the list is disposed.
  @inline(__always)
  final func send(_ value: Value) {
    if let sole = subscribers.sole, !remembers {
      sole.function(sole.context, value)
    } else {
      sendToAll(value)
    }
  }

  @inline(never)
  private final func sendToAll(_ value: Value) {
    if remembers { remember(value) }
    subscribers.deliver(value, gate)
  }

  /// The same for a value that waited: a subscription may have been disposed before its turn came.
  final func sendCarefully(_ value: Value) {
    if subscribers.deliverCarefully(value) { subscribers.forgetSole() }
  }

  /// Stores a value that is about to be delivered, inside the gate.
  func remember(_ value: Value) {}

  /// Whether that does anything.
  private final let remembers: Bool

  init(remembers: Bool = false) { self.remembers = remembers }

  override func apply(_ operation: Operation, _ sink: Sink?, _ value: Value) {
    switch operation {
    case .next: sendCarefully(value)
    case .error: end { $0.error(value) }
    case .completed: end { $0.completed() }
    case .add: if let sink { join(sink) }
    case .remove: if let sink { leave(sink) }
    case .close: letGo()
    case .fire: break
    }
  }

  /// A new subscriber takes its place, inside the gate. Subjects with a memory replay it here.
  func join(_ sink: Sink) {
    // Disposed before its turn came: the removal is already behind us.
    guard sink.scope.isActive else { return }
    guard subscribers.makeRoom() else { return refuse(sink) }
    subscribers.append(sink)
    publishCount()
  }

  /// There is no memory for its place.
  @inline(never)
  final func refuse(_ sink: Sink) {
    sink.scope.remove(sink)
    sink.failWithoutMemory()
  }

  /// A subscriber leaves, inside the gate.
  func leave(_ sink: Sink) {
    subscribers.remove(sink)
    publishCount()
  }

  /// A subscription from any thread.
  func attach(_ sink: Sink) {
    sink.isFed(by: self)
    sink.scope.add(sink)
    guard let hold = gate.enter() else {
      _ = gate.post(self, .add, sink, .null)
      return
    }
    join(sink)
    hold.leave(self)
  }

  override final func detach(_ sink: Sink) {
    guard let hold = gate.enter() else {
      _ = gate.post(self, .remove, sink, .null)
      return
    }
    leave(sink)
    hold.leave(self)
  }

  final func end(_ deliver: (Sink) -> Void) {
    let sinks = subscribers.removeAll()
    publishCount()
    for sink in sinks {
      sink.scope.remove(sink)
      if sink.scope.isActive { deliver(sink) }
    }
  }

  final func letGo() {
    let sinks = subscribers.removeAll()
    publishCount()
    for sink in sinks { sink.scope.remove(sink) }
  }

  deinit { subscribers.deallocate() }
}
