/// A subject's inside with a memory.
///
/// A subscriber gets the remembered values before `subscribe` returns, and then every later one,
/// each once and in order. While the gate is free that is simple: the subscribing thread enters it
/// and replays. When the gate is held — by another thread, or further up this thread's own stack —
/// the values are replayed at once through a gate of the subscriber's own, which holds back the
/// values that the subject delivers meanwhile. Snapshot and registration are one critical section,
/// so no value slips between them. `Tests/model/replay.pml` is this.
final class ReplayCore: SubjectCore {
  private let lock = Lock()
  private var store: ReplayStore
  private let replaysEnd: Bool
  private var hasEnded = false
  /// The error it ended with, owned; nil after a completion.
  private var endError: Value?
  /// Subscribers that have their snapshot and join before the next operation; nil when there are
  /// none.
  private var joining: [Sink]?

  /// `lifetime`: how long a value is remembered; nil: as long as there is room.
  @inline(never)
  init(capacity: Int, lifetime: Timing? = nil, initial: Value?, replaysEnd: Bool) {
    store = ReplayStore(capacity: capacity, lifetime: lifetime)
    self.replaysEnd = replaysEnd
    super.init(remembers: true)
    if let initial { store.append(initial.retained()) }
  }

  override func apply(_ operation: Operation, _ object: Object?, _ value: Value) {
    switch operation {
    case .next:
      remember(value)
      sendCarefully(value)
    case .error, .completed:
      rememberEnd(operation == .error ? value.retained() : nil)
      super.apply(operation, object, value)
    case .close:
      admit(nil)
      super.apply(operation, object, value)
    default:
      super.apply(operation, object, value)
    }
  }

  override func leave(_ sink: Sink) {
    // It may be among those that have yet to take their places.
    admit(nil)
    super.leave(sink)
  }

  /// The value may at once be pushed out of the store again; it is lent by the caller all the same.
  override func remember(_ value: Value) {
    let owned = value.retained()
    lock.lock()
    if store.isFull { return rememberInPlace(owned) }
    store.append(owned)
    unlockAndAdmit()
    if store.expires { dropExpired() }
  }

  /// The same under the lock where the oldest value has to make room. Takes the new one over.
  private func rememberInPlace(_ value: Value) {
    let evicted = store.replaceOldest(value)
    unlockAndAdmit()
    evicted.release()
    if store.expires { dropExpired() }
  }

  @inline(__always)
  private func unlockAndAdmit() {
    let newcomers = joining
    if newcomers != nil { joining = nil }
    lock.unlock()
    if let newcomers { joinAll(newcomers) }
  }

  /// Inside the gate, or when nobody can come any more.
  override func visit(_ visitor: inout Visitor) {
    lock.lock()
    store.forEach {
      visitor.value($0)
      return true
    }
    visitor.value(endError)
    lock.unlock()
  }

  private func dropExpired() {
    while let old = lock.locked({ store.popExpired() }) { old.release() }
  }

  private func rememberEnd(_ error: Value?) {
    var old: Value? = nil
    admit {
      if self.hasEnded { old = error } else { self.endError = error }
      self.hasEnded = true
    }
    old?.release()
  }

  /// Changes the memory; subscribers that took their snapshot before take their places first.
  private func admit(_ change: (() -> Void)?) {
    lock.lock()
    let newcomers = joining.take()
    change?()
    lock.unlock()
    if let newcomers { joinAll(newcomers) }
  }

  private func joinAll(_ newcomers: [Sink]) {
    for sink in newcomers { join(sink) }
  }

  override func attach(_ sink: Sink) {
    if let hold = gate.enter() {
      sink.isFed(by: self)
      sink.scope.add(sink)
      replayInside(sink)
      hold.leave(self)
    } else {
      replayBeside(sink)
    }
  }

  /// Nobody can send while we are inside: the store holds still.
  private func replayInside(_ sink: Sink) {
    admit(nil)
    if store.expires { dropExpired() }
    store.forEach {
      guard sink.scope.isActive else { return false }
      sink.next($0)
      return true
    }
    guard sink.scope.isActive else { return }
    if hasEnded && replaysEnd {
      sink.scope.remove(sink)
      sendEnd(to: sink, endError)
    } else {
      join(sink)
    }
  }

  private func replayBeside(_ sink: Sink) {
    let buffer = ReplayBuffer(sink)
    let input = buffer.input
    input.isFed(by: self)
    input.scope.add(input)
    let hold = buffer.gate.enterFirst()
    var snapshot = ValueLine()
    var ended = false
    var error: Value? = nil
    lock.lock()
    store.forEach {
      snapshot.append($0.retained())
      return true
    }
    ended = hasEnded && replaysEnd
    if ended { error = endError?.retained() } else { joining = (joining ?? []) + [input] }
    lock.unlock()
    // Disposed before it was among them: the removal is already behind us.
    if !sink.scope.isActive { detach(input) }
    while let value = snapshot.popFirst() {
      if sink.scope.isActive { sink.next(value) }
      value.release()
    }
    if ended {
      input.scope.remove(input)
      if sink.scope.isActive { sendEnd(to: sink, error) }
    }
    error?.release()
    hold.leave(buffer)
  }

  private func sendEnd(to sink: Sink, _ error: Value?) {
    if let error { sink.error(error) } else { sink.completed() }
  }

  deinit { endError?.release() }
}

/// Holds back live events while older ones are replayed to the same subscriber.
private final class ReplayBuffer: Core {
  fileprivate let sink: Sink
  var height: Int32 { sink.height &+ 1 }

  /// The sink that the subject delivers to.
  var input: Sink { ReplayBufferSink(self, sink.scope) }

  init(_ sink: Sink) { self.sink = sink }

  override func apply(_ operation: Operation, _ object: Object?, _ value: Value) {
    guard self.sink.scope.isActive else { return }
    switch operation {
    case .next: self.sink.next(value)
    case .error: self.sink.error(value)
    case .completed: self.sink.completed()
    default: break
    }
  }
}

private final class ReplayBufferSink: Sink {
  private let buffer: ReplayBuffer

  init(_ buffer: ReplayBuffer, _ scope: Scope) {
    self.buffer = buffer
    super.init(scope: scope, height: buffer.height)
  }

  override var recordedBelow: RecordedBelow { buffer.sink.recordedBelow }
  override func next(_ value: Value) { buffer.submit(.next, nil, value) }
  override func error(_ error: Value) { buffer.submit(.error, nil, error) }
  override func completed() { buffer.submit(.completed) }
}
