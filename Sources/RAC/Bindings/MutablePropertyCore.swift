import CRACShims
import Synchronization

/// The inside of a property that can be set: its value and its subscribers behind a gate of their
/// own.
///
/// A set is an operation of the gate like a send. A subscriber gets the current value as it takes
/// its place, also inside the gate, so every later value follows and none is missed between: what
/// it hears is the last part of the one sequence of values, without a gap.
class MutablePropertyCore: PropertyCore {
  /// What makes a set more than a value and its subscribers. Most properties have none of it.
  struct Traits: OptionSet {
    let rawValue: UInt8

    static let ended = Traits(rawValue: 1)
    /// Others share the value: see Tie.
    static let tied = Traits(rawValue: 2)
    /// Others are derived from it: see RootNode.
    static let feeding = Traits(rawValue: 4)
    /// Somebody wants to know the value before.
    static let previous = Traits(rawValue: 8)
    /// The user keeps the value.
    static let adapted = Traits(rawValue: 16)
    /// A batch has it, and what comes meanwhile is kept.
    static let held = Traits(rawValue: 32)
    /// A value needs more stack than is taken for granted.
    static let far = Traits(rawValue: 64)
  }
  final var traits: Traits

  /// What feeds the property, a binding for one. Ends with it.
  final let upstream = Scope()
  private final let isBound = Atomic<Bool>(false)

  /// The thread that is delivering, 0 for none: only that thread can find itself here.
  private final let delivering = Atomic<UInt>(0)
  private final var newcomers = Newcomers()

  /// Those who share the value: see Tie. Changed inside the gate and under the lock of the parts,
  /// so that either is enough to look at them.
  final var ties: [Tie] = []
  /// The time of the latest change, by the clock of ChangeClock. Kept up only while there are ties.
  final let stamp = Atomic<UInt64>(0)
  /// Who brought the change that is being delivered, lent, and its time.
  final var origin: Unmanaged<Tie>?
  final var changeTime: UInt64 = 0

  /// Through which others are derived from it, for whoever is inside the gate: see RootNode.
  final var fedNode: RootNode?
  /// The same for those who derive; and the batch that is about to change the property. Guarded by
  /// the lock of the parts.
  final var rootNode: RootNode?
  final var batch: BatchCommit?
  /// The number of the batch that was lined up last; guarded in the same way.
  final var latestBatch: UInt64 = 0
  /// What came while a batch had the property.
  final var kept = OperationLine()
  /// What the batch that has it makes of it, and the thread that is working that out; 0: none is.
  final var member: BatchMember?
  final let worker = Atomic<UInt>(0)

  /// Takes the value over.
  @inline(never)
  init(
    _ initial: Value, isDistinct: Bool, isReadOnly: Bool = false, traits: Traits = []
  ) {
    self.traits = traits
    super.init(initial, isDistinct: isDistinct, isReadOnly: isReadOnly)
  }

  // MARK: Changing the value, inside the gate

  /// A set by a sender who found the gate free. The value is lent.
  @inline(__always)
  final func set(_ value: Value, _ thread: Thread) -> rac_status {
    guard traits.isEmpty, thread.pointee.unfinished == nil else {
      return setSpecially(value, thread)
    }
    if isDistinct && value.isSame(as: current) { return Status.ok }
    let fresh = value.retained()
    let retired = publish(fresh)
    begin(thread)
    if let sole = subscribers.sole {
      sole.function(sole.context, fresh)
    } else {
      subscribers.deliver(fresh, gate)
    }
    finishDelivering()
    LatestValue.retire(retired)
    return Status.ok
  }

  @inline(never)
  private final func setSpecially(_ value: Value, _ thread: Thread) -> rac_status {
    if thread.pointee.unfinished != nil { return setInBatch(value, thread) }
    if traits.contains(.far) { return setFar(value) }
    return traits == .feeding ? setAndFeed(value, thread) : change(value)
  }

  @inline(never)
  private final func setFar(_ value: Value) -> rac_status {
    if !isCramped { return change(value) }
    // From here inside: it is parked when this thread leaves.
    return gate.post(self, .next, nil, value) ? Status.queued : Status.ok
  }

  @inline(never)
  private final func setInBatch(_ value: Value, _ thread: Thread) -> rac_status {
    PropertyBatch.open(on: thread)?.set(self, value) ?? change(value)
  }

  /// For properties that others are derived from, and nothing else.
  @inline(never)
  private final func setAndFeed(_ value: Value, _ thread: Thread) -> rac_status {
    if isDistinct && value.isSame(as: current) { return Status.ok }
    let fresh = value.retained()
    let retired = publish(fresh)
    begin(thread)
    let isLeft = feed(fresh, thread)
    if subscribers.count > 0 { sendCarefully(fresh) }
    finishDelivering()
    LatestValue.retire(retired)
    return isLeft ? Status.queued : Status.ok
  }

  /// Tells what is derived from the property. True when somebody else has to go on with it.
  @inline(__always)
  final func feed(_ fresh: Value, _ thread: Thread) -> Bool {
    let node = Unmanaged.passUnretained(fedNode.unsafelyUnwrapped)
    return node._withUnsafeGuaranteedRef { $0.feed(fresh, latest.version, thread) }
  }

  /// What an adapter does with a new value before it is the property's; what it then is, owned.
  func write(_ value: Value, _ out: inout Value) -> rac_status { Status.ok }

  /// nil: what is to be done inside has to be posted.
  @inline(__always)
  final func enter() -> Gate.Hold? {
    guard let hold = gate.enter() else { return nil }
    if isFar && isCramped { return leaveAtOnce(hold) }
    return hold
  }

  @inline(never)
  private final func leaveAtOnce(_ hold: Gate.Hold) -> Gate.Hold? {
    hold.leave(self)
    return nil
  }

  @inline(never)
  override final func apply(_ operation: Operation, _ object: Object?, _ value: Value) {
    if traits.contains(.held), !((object as? BatchClaim)?.isRelease ?? false) {
      _ = keep(operation, object, value)
      return
    }
    switch operation {
    case .next: _ = change(value)
    case .fire: if let object { unsafeDowncast(object, to: PropertyTask.self).run(self, value) }
    case .completed: finish()
    case .close: forget()
    case .add:
      if let carrier = object as? NodeCarrier { return feed(carrier) }
      super.apply(operation, object, value)
    case .remove:
      if let carrier = object as? NodeCarrier { return stopFeeding(carrier) }
      super.apply(operation, object, value)
    case .error: break
    }
  }

  // MARK: Subscribers

  override final func attach(_ sink: Sink) {
    sink.isFed(by: self)
    sink.scope.add(sink)
    if isDeliveringHere {
      if greet(sink) { newcomers.append(sink) }
    } else {
      submitRarely(.add, sink)
    }
  }

  override final func join(_ sink: Sink) {
    if traits.contains(.held) {
      _ = keep(.add, sink, .null)
      return
    }
    begin(currentThread())
    if greet(sink) { enlist(sink) }
    finishDelivering()
  }

  private final func enlist(_ sink: Sink) {
    guard subscribers.makeRoom() else { return refuse(sink) }
    take(sink)
  }

  /// There is room.
  private final func take(_ sink: Sink) {
    append(sink)
    if sink is ChangesSink { traits.insert(.previous) }
    if isFar { traits.insert(.far) } else { traits.remove(.far) }
  }

  override final func leave(_ sink: Sink) {
    if traits.contains(.held) {
      _ = keep(.remove, sink, .null)
    } else {
      super.leave(sink)
    }
  }

  /// From here on this thread finds itself delivering.
  @inline(__always)
  final func begin(_ thread: Thread) { delivering.store(thread.token, ordering: .relaxed) }

  /// Whether this thread is inside the gate, further up.
  final var isDeliveringHere: Bool {
    delivering.load(ordering: .relaxed) == currentThread().token
  }

  @inline(__always)
  final func finishDelivering() {
    stopDelivering()
    if !newcomers.isEmpty { admit() }
  }

  /// From here on no thread finds itself delivering. Those that came meanwhile have yet to be
  /// admitted.
  @inline(__always)
  final func stopDelivering() { delivering.store(0, ordering: .relaxed) }

  /// Those who came while others heard a value become subscribers. Inside the gate: who stands
  /// outside is looking at the traits.
  @inline(never)
  private final func admit() {
    for sink in newcomers.take() where sink.scope.isActive { enlist(sink) }
  }

  /// Ends the subscribers that the closure picks.
  final func end(_ isMeant: (Sink) -> Bool, _ deliver: (Sink) -> Void) {
    var meant: [Sink] = []
    for member in subscribers.removeAll() {
      // Whoever subscribes to a property has a sink.
      let sink = unsafeDowncast(member, to: Sink.self)
      // There is room for those that were in it.
      if isMeant(sink) { meant.append(sink) } else { take(sink) }
    }
    for sink in meant {
      sink.scope.remove(sink)
      if sink.scope.isActive { deliver(sink) }
    }
  }

  /// What a batch has is its own, whoever is inside the gate.
  override final func isEntered(by visitor: inout Visitor) -> Bool {
    visitor.enter(self) && !traits.contains(.held)
  }

  // MARK: What is derived from it

  override final var part: GraphTurn? { partOfRoot }
  override final func use(in home: GraphTurn) -> GraphNode? { useRootNode(in: home) }

  /// Has somebody look at the gate's line: who is inside, or else this thread.
  override final func knock() { _ = gate.knock(self) }

  // MARK: The end

  override final func close() {
    submitRarely(.completed)
    submitRarely(.close)
  }

  private final func finish() {
    if hasEnded { return }
    hasEnded = true
    traits.insert(.ended)
    upstream.close()
    begin(currentThread())
    traits.remove(.feeding)
    let node = fedNode.take()
    node?.end()
    endSubscribers()
    for tie in takeTies() { tie.dispose() }
    finishDelivering()
  }

  // MARK: Bindings

  /// False when there is one already.
  final func claimBinding() -> Bool { !isBound.exchange(true, ordering: .acquiringAndReleasing) }
  final func releaseBinding() { isBound.store(false, ordering: .releasing) }
}

/// Something to be done inside a property's gate that is more than an operation and a value.
class PropertyTask: Object {
  func run(_ core: MutablePropertyCore, _ value: Value) {}
}
