import CRACShims
import Synchronization

/// The inside of a property: its value and its subscribers behind a gate.
///
/// A set is an operation of the gate like a send. A subscriber gets the current value as it takes its
/// place, also inside the gate, so every later value follows and none is missed between: what it hears
/// is the last part of the one sequence of values, without a gap.
class PropertyCore: SubjectCore {
  /// In the cell of the gate's slot, once there is one.
  private(set) final var latest = LatestValue(.none)
  /// The latest value, for whoever is inside the gate; `latest` owns it.
  private(set) final var current: Value
  /// The one before, while `change` delivers.
  private(set) final var previous: Value = .null
  /// An equal value is no change.
  final let isDistinct: Bool
  /// Nothing but a value and subscribers: what most are. False while there are ties, or subscribers with
  /// long chains, and once somebody wants to know the value before.
  private final var isSimple: Bool
  private final let hasStorageOnly: Bool
  private final var keepsPrevious = false
  /// Whether sets are refused.
  final let isReadOnly: Bool

  /// What feeds the property, a binding for one. Ends with it.
  final let upstream = Scope()
  private let isBound = Atomic<Bool>(false)

  /// The thread that is delivering, 0 for none: only that thread can find itself here.
  private let delivering = Atomic<UInt>(0)
  /// What a delivery leaves to be done or said when it is over; nil for nothing.
  private final var aftermath: Aftermath?

  /// Those who share the value: see Tie.
  private final var ties: [Tie] = []
  /// The time of the latest change, by `ChangeClock`. Kept up only while there are ties.
  private let stamp = Atomic<UInt64>(0)
  /// Who brought the change that is being delivered, and its time. Held by the call that delivers it.
  private(set) final unowned(unsafe) var origin: Tie?
  private(set) final var changeTime: UInt64 = 0

  private(set) final var hasEnded = false
  private final var endError: Value?

  /// Takes the value over.
  init(
    _ initial: Value, isDistinct: Bool, hasStorageOnly: Bool = true, isReadOnly: Bool = false
  ) {
    self.isDistinct = isDistinct
    self.isReadOnly = isReadOnly
    self.hasStorageOnly = hasStorageOnly
    isSimple = hasStorageOnly
    current = initial
    super.init()
    latest = LatestValue(PropertyCell(of: gate.slot.index))
    LatestValue.retire(latest.store(initial))
  }

  deinit {
    latest.destroy()
    latest.cell.freeIfOwn(gate.slot.index)
    endError?.release()
  }

  // MARK: Changing the value, inside the gate

  /// A set by a sender who found the gate free. The value is lent.
  @inline(__always)
  final func set(_ value: Value, _ thread: Thread) -> rac_status {
    guard isSimple, !hasEnded else { return isFar ? setFar(value) : change(value) }
    if isDistinct && value.isSame(as: current) { return Status.ok }
    let fresh = value.retained()
    current = fresh
    let retired = latest.store(fresh)
    delivering.store(thread.token, ordering: .relaxed)
    if let sole = subscribers.sole {
      sole.function(sole.context, fresh)
    } else {
      subscribers.deliver(fresh, gate)
    }
    LatestValue.retire(retired)
    return finishDelivering()
  }

  @inline(never)
  private func setFar(_ value: Value) -> rac_status {
    if !isCramped { return change(value) }
    // From here inside: it is parked when this thread leaves.
    return gate.post(self, .next, nil, value) ? Status.queued : Status.ok
  }

  /// Any change: one that waited, or comes from a tie, or is to be told to ties. The value is lent.
  ///
  /// A tie's change carries its time, and one that is not newer than the latest is out of date. It may be
  /// no change but another time for one, the one that it `renews`.
  @inline(never)
  final func change(
    _ value: Value, at time: UInt64 = 0, renewing renewed: UInt64 = 0, from origin: Tie? = nil
  ) -> rac_status {
    if hasEnded { return Status.done }
    let isTied = !ties.isEmpty
    if isTied && time != 0 {
      if isOutOfDate(time) { return Status.ok }
      if renewed != 0 && renewed == stamp.load(ordering: .relaxed) {
        renew(renewed, time, besides: origin)
        return Status.ok
      }
    }
    var fresh = value
    var made = Value.null
    if !hasStorageOnly {
      let status = write(value, &made)
      if status < 0 { return status }
      fresh = made
    }
    if isDistinct && fresh.isSame(as: current) {
      made.release()
      // The value is there already, but it is the other side's latest.
      if isTied && time != 0 { renew(stamp.load(ordering: .relaxed), time, besides: origin) }
      return Status.ok
    }
    let time = isTied && time == 0 ? ChangeClock.next() : time
    if isTied { stamp.store(time, ordering: .relaxed) }
    self.origin = origin
    changeTime = time
    previous = current
    current = fresh.retained()
    let retired = latest.store(current)
    made.release()
    delivering.store(currentThread().token, ordering: .relaxed)
    sendCarefully(current)
    tell(time, besides: origin)
    self.origin = nil
    changeTime = 0
    LatestValue.retire(retired)
    return finishDelivering()
  }

  /// What else has to be done with a new value before it is the property's; what it then is, owned.
  func write(_ value: Value, _ out: inout Value) -> rac_status { Status.ok }

  /// nil: what is to be done inside has to be posted.
  @inline(__always)
  final func enter() -> Gate.Hold? {
    guard let hold = gate.enter() else { return nil }
    if isFar && isCramped { return leaveAtOnce(hold) }
    return hold
  }

  @inline(never)
  private func leaveAtOnce(_ hold: Gate.Hold) -> Gate.Hold? {
    hold.leave(self)
    return nil
  }

  /// In line with other sets, from any thread.
  final func submitSet(
    _ value: Value, at time: UInt64 = 0, renewing renewed: UInt64 = 0, from origin: Tie? = nil
  ) -> rac_status {
    guard let hold = enter() else {
      let task = origin.map { TiedChange(time, renewed, $0) }
      return gate.post(self, task == nil ? .next : .fire, task, value) ? Status.queued : Status.ok
    }
    let status = change(value, at: time, renewing: renewed, from: origin)
    hold.leave(self)
    return status
  }

  /// Reads the value and sets the next one with nobody in between.
  final func modify(_ context: Context, _ body: @escaping rac_map_fn) -> rac_status {
    guard let hold = enter() else {
      let task = Modification(context, body)
      return gate.post(self, .fire, task, .null) ? Status.queued : Status.ok
    }
    let status = modify(context.pointer, body)
    hold.leave(self)
    return status
  }

  /// Inside the gate.
  fileprivate final func modify(_ context: UnsafeMutableRawPointer?, _ body: rac_map_fn)
    -> rac_status
  {
    if hasEnded { return Status.done }
    guard let before = read() else { return Status.user }
    var out = Value.null
    let status = body(context, before, &out)
    before.release()
    if Callback.hasFailed(status) {
      out.release()
      Callback.discardRaised()
      return status
    }
    let result: rac_status
    switch out.admitted() {
    case .sound: result = change(out)
    case .copied(let copy):
      result = change(copy)
      copy.release()
    case .refused(let refusal, _): return refusal
    }
    out.release()
    return result
  }

  /// The value, owned by the caller; nil: the user's callback failed. On any thread.
  func read() -> Value? { latest.read() }

  /// The same with its version.
  func snapshot() -> (value: Value, version: UInt64)? { latest.readWithVersion() }

  /// Whether `read` has to be asked, because the value may be another than `current`.
  var isKeptByUser: Bool { false }

  override func apply(_ operation: Operation, _ object: Object?, _ value: Value) {
    switch operation {
    case .next: if let object { receive(value, from: object) } else { _ = change(value) }
    case .fire: if let object { unsafeDowncast(object, to: PropertyTask.self).run(self, value) }
    case .error: finish(value)
    case .completed: finish(nil)
    case .close: forget()
    default: super.apply(operation, object, value)
    }
  }

  /// A value of something that this property is made of.
  func receive(_ value: Value, from source: Object) {}

  // MARK: Subscribers

  override final func attach(_ sink: Sink) {
    sink.isFed(by: self)
    sink.scope.add(sink)
    if isDeliveringHere {
      if greet(sink) { expect().newcomers.append(sink) }
      return
    }
    guard let hold = gate.enter() else {
      _ = gate.post(self, .add, sink, .null)
      return
    }
    join(sink)
    hold.leave(self)
  }

  override final func join(_ sink: Sink) {
    delivering.store(currentThread().token, ordering: .relaxed)
    if greet(sink) { enlist(sink) }
    finishDelivering()
  }

  /// Sends the current value, or the end. True when more can come.
  private func greet(_ sink: Sink) -> Bool {
    // Disposed before its turn came: the removal is already behind us.
    guard sink.scope.isActive else { return false }
    if hasEnded {
      sink.scope.remove(sink)
      if let endError { sink.error(endError) } else { sink.completed() }
      return false
    }
    if let follower = sink as? FollowingSink {
      if follower.wantsPrevious {
        keepsPrevious = true
        findSimple()
      }
      if follower.knows(latest.version) { return true }
    }
    if let value = read() {
      sink.next(value)
      value.release()
    }
    return sink.scope.isActive
  }

  @discardableResult
  @inline(__always)
  private func finishDelivering() -> rac_status {
    delivering.store(0, ordering: .relaxed)
    return aftermath == nil ? Status.ok : settle()
  }

  @inline(never)
  private func settle() -> rac_status {
    guard let aftermath = aftermath.take() else { return Status.ok }
    for sink in aftermath.newcomers where sink.scope.isActive { enlist(sink) }
    return aftermath.isLeftToOthers ? Status.queued : Status.ok
  }

  private func enlist(_ sink: Sink) {
    guard subscribers.makeRoom() else { return refuse(sink) }
    admit(sink)
    publishCount()
  }

  private func expect() -> Aftermath {
    if let aftermath { return aftermath }
    let fresh = Aftermath()
    aftermath = fresh
    return fresh
  }

  /// A property that is made of this one, or bound to it, is told by somebody else, later. No-op where this
  /// thread is not delivering.
  final func noteLeftToOthers() {
    if isDeliveringHere { expect().isLeftToOthers = true }
  }

  @inline(never)
  private func admit(_ sink: Sink) {
    append(sink)
    findSimple()
  }

  private func findSimple() {
    isSimple = ties.isEmpty && hasStorageOnly && !keepsPrevious && !isFar
  }

  // MARK: Ties, inside the gate

  final func add(_ tie: Tie) {
    if hasEnded { return tie.dispose() }
    // Disposed before its turn came: the removal is already behind us.
    if tie.isDisposed { return }
    ties.append(tie)
    findSimple()
    tie.added(to: self)
  }

  /// Adds a tie whose other side is to take this side's value, as if that were set only now.
  final func introduce(_ tie: Tie) {
    add(tie)
    if tie.isDisposed { return }
    let time = ChangeClock.next()
    renew(stamp.load(ordering: .relaxed), time, besides: tie)
    tie.changed(current, at: time, renewing: 0, in: self)
  }

  final func remove(_ tie: Tie) {
    var index = 0
    while index < ties.count, ties[index] !== tie { index &+= 1 }
    if index < ties.count { ties.remove(at: index) }
    findSimple()
  }

  /// Whether a change of that time would be dropped. Times only grow, so anybody may ask.
  final func isOutOfDate(_ time: UInt64) -> Bool { time <= stamp.load(ordering: .relaxed) }

  /// Whether this thread is inside the gate, further up.
  final var isDeliveringHere: Bool {
    delivering.load(ordering: .relaxed) == currentThread().token
  }

  /// The change of the time before counts as of the other one from here on.
  private func renew(_ before: UInt64, _ time: UInt64, besides origin: Tie?) {
    stamp.store(time, ordering: .relaxed)
    tell(time, renewing: before, besides: origin)
  }

  private func tell(_ time: UInt64, renewing renewed: UInt64 = 0, besides origin: Tie?) {
    for tie in ties where tie !== origin {
      tie.changed(current, at: time, renewing: renewed, in: self)
    }
  }

  /// Inside the gate, when its turn comes.
  final func perform(_ kind: TieTask.Act, _ tie: Tie) {
    submitRarely(.fire, TieTask(kind, tie))
  }

  /// Ends the subscribers that the closure picks.
  final func end(_ isMeant: (Sink) -> Bool, _ deliver: (Sink) -> Void) {
    var meant: [Sink] = []
    for sink in subscribers.removeAll() {
      // There is room for those that were in it.
      if isMeant(sink) { meant.append(sink) } else { admit(sink) }
    }
    publishCount()
    for sink in meant {
      sink.scope.remove(sink)
      if sink.scope.isActive { deliver(sink) }
    }
  }

  // MARK: The end

  private func finish(_ error: Value?) {
    if hasEnded { return }
    hasEnded = true
    endError = error?.retained()
    upstream.close()
    delivering.store(currentThread().token, ordering: .relaxed)
    end { if let error { $0.error(error) } else { $0.completed() } }
    let left = ties
    ties = []
    for tie in left { tie.dispose() }
    finishDelivering()
  }

  /// Nobody can ask for the value any more: who still holds this, a signal of changes or a binding that is
  /// over, need not hold that, too, and what that holds might be this.
  private func forget() {
    // A terminal has gone.
    if !hasEnded { return }
    current = .null
    LatestValue.retire(latest.store(.null))
  }

  // MARK: Bindings

  /// False when there is one already.
  final func claimBinding() -> Bool { !isBound.exchange(true, ordering: .acquiringAndReleasing) }
  final func releaseBinding() { isBound.store(false, ordering: .releasing) }
}

private final class Aftermath {
  /// Subscribers that came from inside the delivery: they have the current value, and join after it.
  var newcomers: [Sink] = []
  /// Whether something that the value was to reach has yet to get it.
  var isLeftToOthers = false
}

/// Something to be done inside a property's gate that is more than an operation and a value.
class PropertyTask: Object {
  func run(_ core: PropertyCore, _ value: Value) {}
}

private final class Modification: PropertyTask {
  private let context: Context
  private let body: rac_map_fn

  init(_ context: Context, _ body: @escaping rac_map_fn) {
    self.context = context
    self.body = body
  }

  override func run(_ core: PropertyCore, _ value: Value) {
    _ = core.modify(context.pointer, body)
  }
}

/// A sink that may know the current value already.
class FollowingSink: Sink {
  /// Whether it looks at `previous`.
  var wantsPrevious: Bool { false }

  func knows(_ version: UInt64) -> Bool { false }
}

extension Value {
  /// isEqual, of which the usual case is compiled into the caller.
  @inline(__always)
  func isSame(as other: Value) -> Bool {
    if kind == Kind.int64 { return other.kind == Kind.int64 && bits == other.bits }
    return isEqual(other)
  }
}
