import CRACShims
import Synchronization

/// The inside of a property that can be set: its value and its subscribers behind a gate of their
/// own.
///
/// A set is an operation of the gate like a send. A subscriber gets the current value as it takes
/// its place, also inside the gate, so it hears the end of the one sequence of values, without a
/// gap.
///
/// A batch takes *hold* of the properties that it changes. Until it lets a property go, operations
/// that come to the gate are kept in a line, so that only the batch touches the property, whichever
/// thread goes on with the batch. BatchCommit says why.
class MutablePropertyCore: PropertyCore {
  /// Subscriptions that feed the property, a binding for one. They end with it.
  final let upstream = Scope()
  private final let isBound = Atomic<Bool>(false)

  /// The thread that is delivering, 0 for none: only that thread can find itself here.
  private final let delivering = Atomic<UInt>(0)
  @exclusivity(unchecked) private final var newcomers: [Sink] = []

  /// Its ties, which share the value. Changed inside the gate and under the lock of components,
  /// so that either is enough to look at them.
  @exclusivity(unchecked) final var ties: [Tie] = []
  /// The time of the latest change, by the clock of ChangeClock. Kept up only while there are ties.
  final let stamp = Atomic<UInt64>(0)
  /// The tie that brought the change that is being delivered, lent, and the change's time.
  @exclusivity(unchecked) final var origin: Unmanaged<Tie>?
  @exclusivity(unchecked) final var changeTime: UInt64 = 0

  /// Through which others are derived from it, inside the gate: see RootNode.
  @exclusivity(unchecked) final var fedNode: RootNode?
  /// The same for deriving; and the batch that is about to change the property. Under the lock of
  /// components.
  @exclusivity(unchecked) final var rootNode: RootNode?
  @exclusivity(unchecked) final var holder: PropertyHolder?
  // The rest under the same lock, too.

  /// Of the latest batch in line, until that is about to change the property, or something else
  /// stands behind it; and its number.
  @exclusivity(unchecked) final var inLine: PropertyHolder?
  @exclusivity(unchecked) final var round: UInt64 = 0
  /// The set that stands last in line, if there is one.
  @exclusivity(unchecked) final var latestSet: LatestChange?
  /// Where modifications wait for room; nil: as many wait as come.
  final let line: BoundedLine?

  /// Operations that came while a batch had the property.
  @exclusivity(unchecked) private final var kept = OperationLine()
  /// The thread on which the batch that has it works its value out; 0: none.
  final let worker = Atomic<UInt>(0)

  /// Takes the value over.
  init(
    _ initial: Value, isDistinct: Bool, isReadOnly: Bool = false, traits: Traits = [],
    bound: Bound? = nil
  ) {
    line = bound.map { BoundedLine($0, isEntry: true) }
    super.init(initial, isDistinct: isDistinct, isReadOnly: isReadOnly, traits: traits)
  }

  // MARK: Changing the value, inside the gate

  /// A set by a sender who found the gate free, where nothing is special: a scalar in the place of
  /// one. The value is lent. False: something is, and nothing is done.
  @inline(__always)
  final func setPlainly(_ value: Value, _ thread: Thread) -> Bool {
    if thread.pointee.unfinished != nil || rac_recording_is_on() || !latest.takesPlainly(value) {
      return false
    }
    if isDistinct {
      if value.kind != Value.Kind.int64 || current.kind != Value.Kind.int64 { return false }
      if value.bits == current.bits { return true }
    }
    current = value
    latest.cell.publish(value)
    if let sole = subscribers.sole {
      begin(thread)
      sole.function(sole.context, value)
      finishDelivering()
    } else if subscribers.count > 0 {
      MutablePropertyCore.deliver(value, toAllOf: self, thread)
    }
    // Nobody can find itself inside a delivery that calls nobody.
    return true
  }

  /// Static, as in `SubjectCore.send`.
  @inline(never)
  private static func deliver(
    _ value: Value, toAllOf core: MutablePropertyCore, _ thread: Thread
  ) {
    core.begin(thread)
    core.subscribers.deliver(value, core.gate)
    core.finishDelivering()
  }

  /// A value that was published together with those of others.
  @inline(__always)
  final func deliverPublished() {
    if subscribers.count == 0 { return }
    if gate.isDisturbed {
      sendCarefully(current)
    } else if let sole = subscribers.sole {
      sole.function(sole.context, current)
    } else {
      subscribers.deliver(current, gate)
    }
  }

  /// Any set by a sender who found the gate free. `recorded` does it instead where nothing is
  /// special and a recording goes on.
  @inline(__always)
  final func setRarely(
    _ value: Value, _ thread: Thread, recorded: () -> rac_status
  ) -> rac_status {
    if thread.pointee.unfinished != nil { return SetCollector.take(value, for: self, thread) }
    if traits.isEmpty { return rac_recording_is_on() ? recorded() : setAny(value, thread) }
    // The thread inside parks the operations that it leaves behind.
    return traits.contains(.far) && isCramped ? leave(value) : change(value)
  }

  /// A set where nothing is special but the values.
  @inline(never)
  private final func setAny(_ value: Value, _ thread: Thread) -> rac_status {
    if isDistinct && value.isSame(as: current) { return Status.ok }
    let fresh = value.retained()
    let retired = publish(fresh)
    MutablePropertyCore.deliver(fresh, toAllOf: self, thread)
    SeqlockValue.retire(retired)
    return Status.ok
  }

  /// A set where others are derived from the property, and that is all. Leaves the gate.
  @inline(never)
  final func changeAndFeed(_ value: Value, _ hold: Gate.Hold) -> rac_status {
    var isLeft = false
    if !(isDistinct && value.isSame(as: current)) {
      let fresh = value.retained()
      let retired = publish(fresh)
      begin(hold.thread)
      isLeft = feed(fresh, hold.thread)
      if subscribers.count > 0 { sendCarefully(fresh) }
      finishDelivering()
      SeqlockValue.retire(retired)
    }
    hold.leave(self)
    return isLeft ? Status.queued : Status.ok
  }

  /// An adapter gives the new value to its user. The property's value is `out` then, owned.
  func write(_ value: Value, _ out: inout Value) -> rac_status { Status.ok }

  /// nil: the operation has to be posted.
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
    if traits.contains(.held), !((object as? PropertyTask)?.letsGo ?? false) {
      _ = keep(operation, object, value)
      return
    }
    switch operation {
    case .next, .fire:
      if let latest = object as? LatestChange {
        make(latest)
      } else if let object {
        unsafeDowncast(object, to: PropertyTask.self).run(value)
      }
    case .completed:
      finish()
      forget()
    case .add:
      if let node = object as? RootNode { return feed(node) }
      super.apply(operation, object, value)
    case .remove:
      if let node = object as? RootNode { return stopFeeding(node) }
      super.apply(operation, object, value)
    // A terminal has gone.
    case .error, .close, .resume: break
    }
  }

  /// Something to be done inside that is more than an operation and a value. From anywhere.
  final func perform(_ body: @escaping () -> Void) {
    submitRarely(.fire, PropertyTask { _ in body() })
    Component.locked { endLatestSet() }
  }

  // MARK: Held by a batch

  /// An operation of the gate, for later.
  final func keep(_ operation: Operation, _ object: Object?, _ value: Value) -> rac_status {
    kept.append(QueuedOperation(operation, object, value))
    return Status.queued
  }

  /// Has the batch let go of it: applies what was kept, unless another batch has its turn
  /// meanwhile. Of operations of other threads it applies as many as a gate would; a worker does
  /// the rest.
  final func letGoOfHold() {
    submitRarely(.fire, PropertyTask(letsGo: true) { _ in self.resume() })
  }

  private final func resume() {
    let me = currentThread().token
    var foreign = 0
    traits.remove(.held)
    // Those who came while all heard what the batch made of it.
    finishDelivering()
    while !traits.contains(.held), let operation = kept.popFirst() {
      if operation.sender.pointee != me { foreign &+= 1 }
      operation.apply(to: self)
      if foreign == MutablePropertyCore.patience, !traits.contains(.held), !kept.isEmpty {
        traits.insert(.held)
        return Worker.run { self.letGoOfHold() }
      }
    }
  }

  private static let patience = 1024

  /// Whether a batch is working out here and now what becomes of the property.
  final var isWorkedOutHere: Bool {
    @inline(__always) get {
      let worker = worker.load(ordering: .relaxed)
      return worker != 0 && worker == currentThread().token
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
    if greet(sink) { take(sink) }
    finishDelivering()
  }

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

  /// Those who came while others heard a value become subscribers. Inside the gate: threads outside
  /// look at the traits.
  @inline(never)
  private final func admit() {
    let all = newcomers
    newcomers = []
    for sink in all where sink.scope.isActive { take(sink) }
  }

  /// Ends the subscribers that the closure picks.
  final func end(_ isMeant: (Sink) -> Bool, _ deliver: (Sink) -> Void) {
    var meant: [Sink] = []
    for member in subscribers.removeAll() {
      // Every subscriber of a property is a sink.
      let sink = unsafeDowncast(member, to: Sink.self)
      // There is room for those that were in it.
      if isMeant(sink) { meant.append(sink) } else { take(sink) }
    }
    for sink in meant {
      sink.scope.remove(sink)
      if sink.scope.isActive { deliver(sink) }
    }
  }

  /// A held property belongs to its batch, even while another thread is inside the gate.
  override final func isEntered(by visitor: inout Visitor) -> Bool {
    visitor.enter(self) && !traits.contains(.held)
  }

  // MARK: The end

  override final func close() { submitRarely(.completed) }

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
    line?.dispose()
    finishDelivering()
  }

  // MARK: Bindings

  /// False when there is one already.
  final func claimBinding() -> Bool { !isBound.exchange(true, ordering: .acquiringAndReleasing) }
  final func releaseBinding() { isBound.store(false, ordering: .releasing) }
}

/// Something to be done inside a property's gate that is more than an operation and a value, which
/// comes with it.
final class PropertyTask: Object {
  let run: (Value) -> Void
  /// Whether it is for a property that is held: the batch lets go of it.
  let letsGo: Bool

  init(letsGo: Bool = false, _ run: @escaping (Value) -> Void) {
    self.letsGo = letsGo
    self.run = run
  }
}
