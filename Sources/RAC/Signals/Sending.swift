import CRACShims
import Synchronization

/// Sending through a handle: the way every event of a user's takes into the graph.
enum Sending {
  /// A value. The usual case, a scalar into a gate of this thread's own from outside all others, is all
  /// that is compiled into the caller.
  @inline(__always)
  static func next(
    _ handle: OpaquePointer?, _ kinds: Kind, _ value: Value, _ function: StaticString
  ) -> rac_status {
    let number = UInt64(UInt(bitPattern: handle))
    let gate = Gate(enteredAt: Slots.at(number & Slots.indexMask))
    // Scalars need no look.
    if value.kind <= Value.Kind.double, let thread = gate.approachAlone(number) {
      rac_shim_hold_first(thread, gate.slot.base)
      if gate.isStillAlone(number) {
        return deliver(gate, thread, kinds, value.scalar, function)
      }
      return nextContested(handle, kinds, value, function)
    }
    return nextChecked(handle, kinds, value, function)
  }

  /// Somebody ends the bias of the gate at this very moment.
  @inline(never)
  private static func nextContested(
    _ handle: OpaquePointer?, _ kinds: Kind, _ value: Value, _ function: StaticString
  ) -> rac_status {
    retreat(from: Gate(enteredAt: Slots.at(UInt64(UInt(bitPattern: handle)) & Slots.indexMask)))
    return nextChecked(handle, kinds, value, function)
  }

  /// Takes back the note of having come in; leaves, if that was too late.
  private static func retreat(from gate: Gate) {
    let thread = currentThread()
    if gate.resolveEntry(thread) { gate.leave(core(of: gate.slot), thread) }
  }

  @inline(never)
  private static func nextChecked(
    _ handle: OpaquePointer?, _ kinds: Kind, _ value: Value, _ function: StaticString
  ) -> rac_status {
    if value.kind <= Value.Kind.double { return nextSound(handle, kinds, value.scalar, function) }
    var value = value
    var copy = Value.null
    switch value.admitted() {
    case .sound: break
    case .copied(let fresh):
      copy = fresh
      value = fresh
    case .refused(let status, let message): return Failure.record(status, function, message)
    }
    let status = nextSound(handle, kinds, value, function)
    copy.release()
    return status
  }

  /// Looking the handle up and entering the gate are one step; everything out of the ordinary goes the
  /// slow way.
  @inline(__always)
  private static func nextSound(
    _ handle: OpaquePointer?, _ kinds: Kind, _ value: Value, _ function: StaticString
  ) -> rac_status {
    guard let handle, let (slot, generation) = Handles.locate(handle) else {
      return Border.refuse(handle, function)
    }
    let word = slot.word.pointee.load(ordering: .relaxed)
    let gate = Gate(enteredAt: slot)
    let thread = currentThread()
    if gate.enterShared(word, generation, thread) || gate.enterByBias(word, generation, thread) {
      return deliver(gate, thread, kinds, value, function)
    }
    return send(handle, kinds, .next, value, function)
  }

  /// Inside the gate.
  @inline(__always)
  private static func deliver(
    _ gate: Gate, _ thread: Thread, _ kinds: Kind, _ value: Value, _ function: StaticString
  ) -> rac_status {
    let kind = gate.slot.kind.pointee
    if kinds.contains(.property) {
      return deliverToProperty(gate, thread, value, function)
    }
    if kinds.contains(.emitter), kind == Kind.emitter.number {
      return deliverToEmitter(gate, thread, value, function)
    }
    if kind == Kind.subject.number { return deliverToSubject(gate, thread, value) }
    return deliverRarely(gate, thread, kinds, value, function)
  }

  @inline(__always)
  private static func deliverToSubject(_ gate: Gate, _ thread: Thread, _ value: Value)
    -> rac_status
  {
    let object = gate.slot.object.pointee.unsafelyUnwrapped
    Unmanaged<Subject>.fromOpaque(object)._withUnsafeGuaranteedRef {
      $0.core.send(value)
      gate.leave($0.core, thread)
    }
    return Status.ok
  }

  @inline(__always)
  private static func deliverToProperty(
    _ gate: Gate, _ thread: Thread, _ value: Value, _ function: StaticString
  ) -> rac_status {
    guard gate.slot.kind.pointee == Kind.property.number else {
      gate.leave(core(of: gate.slot))
      return Border.refuseKind(function)
    }
    let object = gate.slot.object.pointee.unsafelyUnwrapped
    return Unmanaged<Property>.fromOpaque(object)._withUnsafeGuaranteedRef {
      if $0.core.isReadOnly {
        gate.leave($0.core, thread)
        return refuseReadOnly(function)
      }
      let status = $0.core.set(value, thread)
      gate.leave($0.core, thread)
      return status < 0 ? refuseSet(status, function) : status
    }
  }

  @inline(never)
  private static func refuseReadOnly(_ function: StaticString) -> rac_status {
    Failure.record(Status.kind, function, "the property is read-only")
  }

  @inline(never)
  private static func refuseSet(_ status: rac_status, _ function: StaticString) -> rac_status {
    Failure.record(status, function, "the property's set callback failed")
  }

  @inline(__always)
  private static func deliverToEmitter(
    _ gate: Gate, _ thread: Thread, _ value: Value, _ function: StaticString
  ) -> rac_status {
    let object = gate.slot.object.pointee.unsafelyUnwrapped
    return Unmanaged<Emitter>.fromOpaque(object)._withUnsafeGuaranteedRef {
      let active = $0.isActive
      if active { $0.send(value) }
      gate.leave($0, thread)
      return active ? Status.ok : refuseEnded(function)
    }
  }

  @inline(never)
  private static func deliverRarely(
    _ gate: Gate, _ thread: Thread, _ kinds: Kind, _ value: Value, _ function: StaticString
  ) -> rac_status {
    if kinds.includes(gate.slot) { return deliverToSubject(gate, thread, value) }
    gate.leave(core(of: gate.slot))
    return Border.refuseKind(function)
  }

  /// An end. Quick for emitters, whose whole life is often one call.
  @inline(__always)
  static func end(
    _ handle: OpaquePointer?, _ kinds: Kind, _ operation: Operation, _ value: Value,
    _ function: StaticString
  ) -> rac_status {
    let number = UInt64(UInt(bitPattern: handle))
    let gate = Gate(enteredAt: Slots.at(number & Slots.indexMask))
    if let thread = gate.approachAlone(number) {
      rac_shim_hold_first(thread, gate.slot.base)
      if !gate.isStillAlone(number) {
        retreat(from: gate)
      } else if kinds.contains(.emitter), gate.slot.kind.pointee == Kind.emitter.number {
        let object = gate.slot.object.pointee.unsafelyUnwrapped
        return Unmanaged<Emitter>.fromOpaque(object)._withUnsafeGuaranteedRef {
          let active = $0.isActive
          if active { $0.apply(operation, nil, value) }
          gate.leave($0, thread)
          return active ? Status.ok : refuseEnded(function)
        }
      } else {
        gate.leave(core(of: gate.slot), thread)
      }
    }
    return send(handle, kinds, operation, value, function)
  }

  private static func core(of slot: Slot) -> Core {
    let object = slot.object.pointee.unsafelyUnwrapped
    if Kind.emitter.includes(slot) {
      return Unmanaged<Emitter>.fromOpaque(object).takeUnretainedValue()
    }
    if Kind.property.includes(slot) {
      return Unmanaged<Property>.fromOpaque(object).takeUnretainedValue().core
    }
    return Unmanaged<Subject>.fromOpaque(object).takeUnretainedValue().core
  }

  /// Any event, of a value that is known to be sound.
  @inline(never)
  static func send(
    _ handle: OpaquePointer?, _ kinds: Kind, _ operation: Operation, _ value: Value,
    _ function: StaticString
  ) -> rac_status {
    Border.check(handle, kinds, as: Object.self, function) {
      if let subject = $0 as? Subject {
        switch operation {
        case .next:
          let status = subject.send(value)
          return status == Status.done ? refuseEnded(function) : status
        case .error: return subject.sendError(value)
        default: return subject.sendCompleted()
        }
      }
      if let property = $0 as? Property {
        if property.core.isReadOnly { return refuseReadOnly(function) }
        let status = property.set(value)
        return status < 0 ? refuseSet(status, function) : status
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
