import Synchronization

/// Signals that something holds together: a list that a collector can look into, and that closures share.
final class SignalList: Object {
  let signals: [Signal]

  init(_ signals: [Signal]) { self.signals = signals }

  override func visit(_ visitor: inout Visitor) { visitor.references(signals) }
}

extension Visitor {
  /// Who is subscribed to what goes, inside its gate. `goes`: whether it goes then, if not all do.
  @inline(never)
  mutating func subscribers(of core: SubjectCore, _ goes: ((Sink) -> Bool)? = nil) {
    core.subscribers.forEach { subscriber($0, goes) }
  }

  /// It hears an end, of something that goes: what is below goes, too, unless an operator has more to do then.
  static func goesAtEnd(_ sink: Sink) -> Bool { goesAtEnd(sink, withValue: false) }

  private static func goesAtEnd(_ sink: Sink, withValue: Bool) -> Bool {
    // The end takes as much.
    if Stack.isTooShort(toTakeApart: sink.height) { return false }
    return sink.goesAtEnd(withValue: withValue)
  }

  /// Whether all who are subscribed go when it ends. False also when somebody else is inside.
  @inline(never)
  static func endWith(_ core: SubjectCore, withValue: Bool) -> Bool {
    if core.gate.enter() == nil { return false }
    var all = true
    core.subscribers.forEach {
      all =
        all
        && $0._withUnsafeGuaranteedRef {
          $0.isDirect || goesAtEnd(unsafeDowncast($0, to: Sink.self), withValue: withValue)
        }
    }
    core.leaveToWorker()
    return all
  }

  /// Enters its gate, which is kept until all is over, so that nobody lets go of what has yet to be looked into.
  /// False: somebody else is inside, or this walk already.
  @inline(never)
  mutating func enter(_ core: Core) -> Bool {
    if core.gate.enter() == nil { return false }
    if keep(Unmanaged.passUnretained(core).toOpaque()) { return true }
    core.leaveToWorker()
    return false
  }

  @inline(never)
  private mutating func subscriber(_ member: Unmanaged<Member>, _ goes: ((Sink) -> Bool)?) {
    // Its callbacks go with the subject, whoever has its handle.
    if member._withUnsafeGuaranteedRef({ $0.isDirect }) {
      member._withUnsafeGuaranteedRef {
        unsafeDowncast($0, to: DirectSubscription.self).visitCallbacks(&self)
      }
      return
    }
    if let goes, !member._withUnsafeGuaranteedRef({ goes(unsafeDowncast($0, to: Sink.self)) }) {
      return
    }
    reference(member.toOpaque())
  }

  /// What came meanwhile is another thread's, and runs its callbacks: not here.
  mutating func leaveAll() {
    unlockAll()
    while let core = takeKept() {
      Unmanaged<Core>.fromOpaque(core)._withUnsafeGuaranteedRef { $0.leaveToWorker() }
    }
  }
}

extension Core {
  /// Leaves the gate; a worker does what was left there.
  fileprivate final func leaveToWorker() {
    if !gate.isDisturbed {
      gate.leave(self)
      return
    }
    currentThread().surface()
    Worker.run {
      currentThread().deepen()
      self.gate.leave(self)
    }
  }
}
