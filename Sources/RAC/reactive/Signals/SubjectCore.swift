import Synchronization

/// The inside of a subject: its subscribers behind a gate.
///
/// It is apart from the subject so that subscriptions can refer to it without keeping the subject
/// alive: when nobody can send any more, the subject goes and its subscriptions are let go.
class SubjectCore: Core {
  @exclusivity(unchecked) final var subscribers = SubscriberList()
  /// Whether `remember` does anything.
  private final let remembers: Bool
  /// The levels below the subscriber with the longest chain, if that is worth a look. See
  /// `Stack.most`.
  private final let farthest = Atomic<UInt16>(0)

  /// See `Sink.holds`. Its own bound alone holds: subscribers may wait for the source that is held.
  func holds(_ question: Question) -> Bool { false }

  /// Also for those outside the gate.
  final var subscriberCount: Int { Int(subscribers.count) }

  /// One value, by a sender who found the gate free: nobody in the list is disposed.
  @inline(__always)
  final func send(_ value: Value) {
    if let sole = subscribers.sole {
      sole.function(sole.context, value)
    } else {
      SubjectCore.send(value, toAllOf: self)
    }
  }

  /// Static, since what a method is called on has a register of its own, which each sender would
  /// have to save.
  @inline(never)
  private static func send(_ value: Value, toAllOf core: SubjectCore) { core.sendToAll(value) }

  @inline(__always)
  private final func sendToAll(_ value: Value) {
    // From here inside: it is parked when this thread leaves.
    if isFar && isCramped { return _ = gate.post(self, .next, nil, value) }
    if remembers { remember(value) }
    subscribers.deliver(value, gate)
  }

  /// The same for a value that waited: a subscription may have been disposed before its turn came.
  final func sendCarefully(_ value: Value) {
    if subscribers.deliverCarefully(value) { subscribers.forgetSole() }
  }

  /// Stores a value that is about to be delivered, inside the gate.
  func remember(_ value: Value) {}

  final var isFar: Bool { farthest.load(ordering: .relaxed) != 0 }
  override final var reach: Int32 { Int32(farthest.load(ordering: .relaxed)) }

  init(remembers: Bool = false) {
    self.remembers = remembers
    if remembers { subscribers.isSlow = true }
  }

  override func apply(_ operation: Operation, _ object: Object?, _ value: Value) {
    switch operation {
    case .next: sendCarefully(value)
    case .error: end { $0.error(value) }
    case .completed: end { $0.completed() }
    case .add: if let object { join(unsafeDowncast(object, to: Sink.self)) }
    case .remove: if let object { leave(unsafeDowncast(object, to: Member.self)) }
    case .close: letGo()
    case .fire, .resume: break
    }
  }

  override final func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    var all = true
    subscribers.forEach { all = all && visitor.goesAtEnd($0, withValue: withValue) }
    return all
  }

  override func stop(_ error: Value) { apply(.error, nil, error) }

  /// A new subscriber takes its place, inside the gate. Subjects with a memory replay it here.
  func join(_ sink: Sink) {
    // Disposed before its turn came: the removal is already behind us.
    if sink.scope.isActive { append(sink) }
  }

  /// Whether `joinFirst` may be called: nothing is remembered.
  final var canJoinFirst: Bool { !remembers }

  /// A subscription takes its place that nobody knows of yet, inside the gate. Takes over the
  /// reference.
  @inline(__always)
  final func joinFirst(_ subscription: Unmanaged<DirectSubscription>) {
    subscription._withUnsafeGuaranteedRef { subscribers.append($0, $0.leaf) }
  }

  /// It leaves: on any thread, perhaps inside the disposal of something else, and that inside of
  /// another. True: it was taken out of the list, and is to be told so.
  final func letGo(of subscription: DirectSubscription) -> Bool {
    guard !Stack.isShort, let hold = gate.enter() else {
      subscription.close()
      _ = gate.post(self, .remove, subscription, .null)
      return false
    }
    let isMine = takeOut(subscription)
    // Another thread took it out, and has perhaps yet to say so; callers may ask at once.
    if !isMine { subscription.close() }
    if !hold.leaveAtOnce() {
      // Callbacks of others run, and may ask.
      subscription.close()
      gate.leave(self)
    }
    return isMine
  }

  /// False when it was taken out before.
  @inline(__always)
  private func takeOut(_ subscription: Member) -> Bool {
    guard subscription.index >= 0 else { return false }
    subscribers.remove(subscription)
    if isFar { forgetReach() }
    return true
  }

  /// The same inside the gate, for any member.
  @inline(never)
  private func leave(_ member: Member) {
    if !member.isDirect { return leave(unsafeDowncast(member, to: Sink.self)) }
    if takeOut(member) { member.wasLeftBehind() }
  }

  /// Into the list, inside the gate.
  @inline(__always)
  final func append(_ sink: Sink) {
    subscribers.append(sink)
    if sink.height > Stack.few { reachOut(to: sink) }
  }

  @inline(never)
  private final func reachOut(to sink: Sink) {
    subscribers.isSlow = true
    if sink.height > reach {
      farthest.store(UInt16(truncatingIfNeeded: min(sink.height, 0xFFFF)), ordering: .relaxed)
    }
  }

  /// A subscriber leaves, inside the gate.
  func leave(_ sink: Sink) {
    subscribers.remove(sink)
    if isFar { forgetReach() }
  }

  @inline(never)
  private final func forgetReach() {
    if subscribers.count > 0 { return }
    subscribers.isSlow = remembers
    farthest.store(0, ordering: .relaxed)
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

  override func detach(_ object: Object) {
    let sink = unsafeDowncast(object, to: Sink.self)
    guard !Stack.isShort, let hold = gate.enter() else {
      _ = gate.post(self, .remove, sink, .null)
      return
    }
    leave(sink)
    hold.leave(self)
  }

  final func end(_ deliver: (Member) -> Void) {
    let members = subscribers.removeAll()
    for member in members {
      member.wasTakenOut()
      if member.isWanted { deliver(member) }
      member.wasLeftBehind()
    }
    if isFar { forgetReach() }
  }

  final func letGo() {
    let members = subscribers.removeAll()
    for member in members {
      member.wasTakenOut()
      member.wasLeftBehind()
    }
  }

  deinit { subscribers.deallocate() }
}
