import Synchronization

/// Signals that something holds together: a list that a collector can look into, and that closures
/// share.
final class SignalList: Object {
  let signals: [Signal]

  init(_ signals: [Signal]) { self.signals = signals }

  override func visit(_ visitor: inout Visitor) { visitor.references(signals) }
}

extension Visitor {
  /// Visits the subscribers of `core`, inside its gate; with `atEnd`, only those that a completion
  /// would free.
  @inline(never)
  mutating func subscribers(of core: SubjectCore, atEnd: Bool = false) {
    core.subscribers.forEach {
      if !atEnd || goesAtEnd($0, withValue: false) { subscriber($0) }
    }
  }

  private mutating func subscriber(_ member: Unmanaged<Member>) {
    // Its callbacks go with the subject, even while its handle is held.
    if member._withUnsafeGuaranteedRef({ $0.isDirect }) {
      member._withUnsafeGuaranteedRef {
        unsafeDowncast($0, to: DirectSubscription.self).visitCallbacks(&self)
      }
    } else {
      reference(member.toOpaque())
    }
  }

  // MARK: Ends

  /// The marks of a gate: this walk is inside, …
  private static var entered: UInt { 1 }
  /// … and asked this, and was told so. The same of an end after a value, two bits further.
  private static var asked: UInt { 2 }
  private static var goes: UInt { 4 }

  /// Whether an end of something that goes frees the member, with all below it. An operator that
  /// has more to do then says no. The walk is where the end comes from.
  mutating func goesAtEnd(_ member: Unmanaged<Member>, withValue: Bool) -> Bool {
    if member._withUnsafeGuaranteedRef({ $0.isDirect }) { return true }
    return member._withUnsafeGuaranteedRef {
      let sink = unsafeDowncast($0, to: Sink.self)
      // The end takes as much.
      if Stack.isTooShort(toTakeApart: sink.height) { return false }
      return sink.goesAtEnd(withValue: withValue, &self)
    }
  }

  /// The same of all that is behind a gate, which is asked once however many ways lead there. In a
  /// circle the answer is no.
  @inline(never)
  mutating func goesAtEnd(_ core: Core, withValue: Bool) -> Bool {
    guard enter(core), let note = note(of: core) else { return false }
    let shift: UInt = withValue ? 2 : 0
    if note.pointee & (Visitor.asked &<< shift) != 0 {
      return note.pointee & (Visitor.goes &<< shift) != 0
    }
    note.pointee |= Visitor.asked &<< shift
    guard core.goesAtEnd(withValue: withValue, &self), let note = self.note(of: core) else {
      return false
    }
    note.pointee |= Visitor.goes &<< shift
    return true
  }

  // MARK: Gates

  /// Enters its gate, which is kept until all is over, so that nobody lets go of what has yet to be
  /// looked into. True also where this walk is inside already; false: somebody else is.
  mutating func enter(_ core: Core) -> Bool {
    guard let note = note(of: core) else { return false }
    if note.pointee != 0 { return true }
    if core.gate.enter() == nil { return false }
    if keep(Unmanaged.passUnretained(core).toOpaque()) {
      note.pointee = Visitor.entered
      return true
    }
    core.leaveToWorker()
    return false
  }

  /// Operations that came meanwhile are another thread's, and run its callbacks: not here.
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
    if gate.leaveIfUndisturbed() { return }
    currentThread().surface()
    Worker.run {
      currentThread().deepen()
      self.gate.leave(self)
      self.afterLeaving()
    }
  }
}
