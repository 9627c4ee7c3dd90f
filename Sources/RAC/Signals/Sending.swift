import CRACShims
import Synchronization

/// Sending through a handle: the way every event of a user's takes into the graph.
enum Sending {
  /// Looking the handle up and entering the gate are one step; everything out of the ordinary goes the
  /// slow way.
  @inline(__always)
  static func send(
    _ handle: OpaquePointer?, _ kinds: Kind, _ operation: Operation, _ value: Value,
    _ function: StaticString
  ) -> rac_status {
    guard let handle, let (slot, generation) = Handles.locate(handle) else {
      return Border.refuse(handle, function)
    }
    if operation == .next {
      let word = slot.word.pointee.load(ordering: .relaxed)
      if Word.generation(word) == generation, word & Word.references != 0,
        word & (Word.busy | Word.pending) == 0, currentThread().pointee.depth < Thread.deepest
      {
        let (entered, _) = slot.word.pointee.compareExchange(
          expected: word, desired: word | Word.busy,
          successOrdering: .acquiring, failureOrdering: .relaxed)
        if entered { return deliver(slot, kinds, value, function) }
      }
    }
    return sendSlowly(handle, kinds, operation, value, function)
  }

  /// Inside the slot's gate, if the slot has one.
  @inline(__always)
  private static func deliver(
    _ slot: Slot, _ kinds: Kind, _ value: Value, _ function: StaticString
  ) -> rac_status {
    let kind = slot.kind.pointee
    guard kind & Kind.gated.rawValue != 0, kind & kinds.rawValue & ~Kind.gated.rawValue != 0 else {
      return leaveAlone(slot, kind, kinds, value, function)
    }
    Gate.deepen()
    let object = slot.object.pointee.unsafelyUnwrapped
    let gate = Gate(enteredAt: slot)
    if kind & Kind.emitter.rawValue != 0 {
      return Unmanaged<Emitter>.fromOpaque(object)._withUnsafeGuaranteedRef {
        let active = $0.isActive
        if active { $0.send(value) }
        gate.leave($0)
        return active ? Status.ok : refuseEnded(function)
      }
    }
    Unmanaged<Subject>.fromOpaque(object)._withUnsafeGuaranteedRef {
      $0.core.send(value)
      gate.leave($0.core)
    }
    return Status.ok
  }

  /// A slot without a gate, or of a kind that is not wanted: the flag means nothing there.
  @inline(never)
  private static func leaveAlone(
    _ slot: Slot, _ kind: UInt32, _ kinds: Kind, _ value: Value, _ function: StaticString
  ) -> rac_status {
    guard kind & kinds.rawValue & ~Kind.gated.rawValue != 0 else {
      unlock(slot)
      return Border.refuseKind(function)
    }
    let subject = Unmanaged<Subject>.fromOpaque(slot.object.pointee.unsafelyUnwrapped)
      .takeUnretainedValue()
    unlock(slot)
    return subject.send(value)
  }

  private static func unlock(_ slot: Slot) {
    while true {
      let word = slot.word.pointee.load(ordering: .acquiring)
      let (free, dropsObject) = Handles.left(word)
      let (done, _) = slot.word.pointee.compareExchange(
        expected: word, desired: free, ordering: .acquiringAndReleasing)
      if done {
        if dropsObject { Handles.finalize(slot) }
        return
      }
    }
  }

  @inline(never)
  private static func sendSlowly(
    _ handle: OpaquePointer, _ kinds: Kind, _ operation: Operation, _ value: Value,
    _ function: StaticString
  ) -> rac_status {
    Border.check(handle, kinds, as: Object.self, function) {
      if let subject = $0 as? Subject {
        switch operation {
        case .next: return subject.send(value)
        case .error: return subject.sendError(value)
        default: return subject.sendCompleted()
        }
      }
      let emitter = unsafeDowncast($0, to: Emitter.self)
      guard emitter.isActive else { return refuseEnded(function) }
      return emitter.submit(operation, nil, value)
    }
  }

  @inline(never)
  private static func refuseEnded(_ function: StaticString) -> rac_status {
    Failure.record(Status.done, function, "the subscription has ended or was disposed")
  }
}
