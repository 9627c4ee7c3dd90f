import CRACShims

/// A signal that is sent to by hand. RACSubject.
///
/// It has no memory of its end, as in RAC: after a completion the subscribers of that moment are
/// gone, and later ones hear later values.
class Subject: Signal {
  final let core: SubjectCore
  /// The scope of what feeds this subject; disposed by the first end that is sent.
  final let upstream = Upstream()

  @inline(__always)
  init(core: SubjectCore = SubjectCore()) { self.core = core }

  override func attach(_ sink: Sink) { core.attach(sink) }

  override var nodeKind: (kind: UInt8, detail: UInt16) { (UInt8(RAC_NODE_SUBJECT), 1) }

  /// Whether a send is nothing but a send to the core.
  var sendsStraight: Bool { true }

  @discardableResult
  func send(_ value: Value) -> rac_status {
    guard let hold = core.gate.enter() else { return core.submitRarely(.next, nil, value) }
    core.send(value)
    return hold.leave(core)
  }

  // Compiled once, and not into every loop over groups: ends are seldom.
  @inline(never)
  @discardableResult
  func sendError(_ error: Value) -> rac_status {
    upstream.close()
    return core.submitRarely(.error, nil, error)
  }

  @inline(never)
  @discardableResult
  func sendCompleted() -> rac_status {
    upstream.close()
    return core.submitRarely(.completed)
  }

  @inline(__always)
  deinit {
    upstream.close()
    core.submit(.close)
  }

  override func visit(_ visitor: inout Visitor) {
    guard visitor.enter(core) else { return }
    visitor.subscribers(of: core)
    visitor.reference(core)
  }
}

/// A subject with a memory, which a subscription replays: on the subscription scheduler, like a
/// cold signal's.
class MemorySubject: Subject {
  override final func attach(_ sink: Sink) {
    if SubscriptionScheduler.runsInline {
      core.attach(sink)
    } else {
      SubscriptionScheduler.schedule(sink) { self.core.attach($0) }
    }
  }
}

/// A subject that remembers its last value. RACBehaviorSubject.
///
/// A subscriber gets the current value first. After the end it still does, and no end.
final class BehaviorSubject: MemorySubject {
  override var nodeKind: (kind: UInt8, detail: UInt16) { (UInt8(RAC_NODE_SUBJECT), 2) }

  init(_ value: Value) {
    super.init(core: ReplayCore(capacity: 1, initial: value, replaysEnd: false))
  }
}

/// A subject that remembers its last values and its end. RACReplaySubject.
final class ReplaySubject: MemorySubject {
  override var nodeKind: (kind: UInt8, detail: UInt16) { (UInt8(RAC_NODE_SUBJECT), 3) }

  init(capacity: Int) {
    super.init(core: ReplayCore(capacity: capacity, initial: nil, replaysEnd: true))
  }
}

/// A subject for the values of one group. RACGroupedSignal.
final class GroupedSubject: Subject {
  let key: Value

  /// Retains the key.
  override var nodeKind: (kind: UInt8, detail: UInt16) { (UInt8(RAC_NODE_SUBJECT), 4) }

  init(key: Value) { self.key = key.retained() }

  deinit { key.release() }

  override func visit(_ visitor: inout Visitor) {
    super.visit(&visitor)
    visitor.value(key)
  }
}

/// Sends everything it hears to a subject: so a subject is a subscriber.
final class SubjectSink: Sink {
  private let subject: Subject

  init(_ subject: Subject, scope: Scope) {
    self.subject = subject
    super.init(scope: scope)
    subject.upstream.add(scope)
    scope.isStillborn = !scope.isActive
  }

  override func visit(_ visitor: inout Visitor) { visitor.reference(subject) }

  override func goesAtEnd(withValue: Bool, _ visitor: inout Visitor) -> Bool {
    visitor.goesAtEnd(subject.core, withValue: withValue)
  }

  override func next(_ value: Value) {
    if scope.isActive { subject.send(value) }
  }

  override var recordedBelow: RecordedBelow { RecordedBelow(target: subject.recordedNode().number) }

  override func holds(_ question: Question) -> Bool { subject.core.holds(question) }

  override func error(_ error: Value) {
    if finish() { subject.sendError(error) }
  }

  override func completed() {
    if finish() { subject.sendCompleted() }
  }

  private func finish() -> Bool {
    guard scope.close() else { return false }
    subject.upstream.remove(scope)
    return true
  }

  deinit {
    subject.upstream.remove(scope)
    scope.close()
  }
}
