import CRACShims
import Synchronization

/// Sending through a handle: the way every event of a user's takes into the graph.
enum Sending {
  /// A function that sends a value: one word, so that the call of a seldom path keeps its arguments
  /// in registers.
  enum Way: UInt8 {
    case subject, subscriber, property

    /// The kinds of handles that it takes.
    var kinds: HandleKind {
      switch self {
      case .subject: .subjects
      case .subscriber: .subscribers
      case .property: .property
      }
    }

    var function: StaticString {
      switch self {
      case .subject: "rac_subject_send"
      case .subscriber: "rac_subscriber_send"
      case .property: "rac_property_set"
      }
    }
  }

  /// A value. The usual case, a scalar into a gate that is free, is all that is compiled into the
  /// caller.
  @inline(__always)
  static func next(_ handle: OpaquePointer?, _ value: Value, _ way: Way) -> rac_status {
    // Scalars need no look.
    if value.kind <= Value.Kind.double, let hold = Gate.enter(by: handle) {
      return deliver(hold, value.scalar, way)
    }
    if value.kind == Value.Kind.string {
      return value.flags == Value.Flag.view | Value.Flag.unterminated
        ? nextLent(handle, value, way) : nextTerminated(handle, value, way)
    }
    return nextChecked(handle, value, way)
  }

  @inline(never)
  static func nextChecked(_ handle: OpaquePointer?, _ value: Value, _ way: Way)
    -> rac_status
  {
    // A binding sends many objects: nor do those.
    if value.kind == Value.Kind.object && value.isSoundObject {
      return nextSound(handle, value, way)
    }
    if value.isUnterminated && UTF8Check.isValid(value.lent) {
      return LentText.lend(value, by: currentThread()) { nextSound(handle, value, way) }
    }
    switch value.admitted() {
    case .sound: return nextSound(handle, value, way)
    case .copied(let copy):
      let status = nextSound(handle, copy, way)
      copy.release()
      return status
    case .refused(let status, let message):
      return Failure.record(status, message, in: way.function)
    }
  }

  @inline(never)
  private static func nextSound(_ handle: OpaquePointer?, _ value: Value, _ way: Way)
    -> rac_status
  {
    guard let hold = Gate.enter(by: handle) ?? enterSoon(by: handle) else {
      return send(handle, way.kinds, .next, value, way.function)
    }
    return deliverSound(hold, value, way)
  }

  /// Spins for a moment while another thread is inside and nothing is queued. Most threads leave
  /// sooner than a value can be queued and taken out again, which moves the gate's cache line back
  /// and forth several times. A thread that stays away for a moment, without looking, leaves that
  /// line to the other one, which may enter many times meanwhile. If that one stays for long, the
  /// value is queued, and the next sender finds a queue and does not spin.
  private static func enterSoon(by handle: OpaquePointer?) -> Gate.Hold? {
    // Inside a callback it may be this thread that is inside.
    if currentThread().isInsideEngine { return nil }
    var tries = 3
    while tries > 0, isJustBusy(handle) {
      rac_shim_stay_awake(1_000)
      if let hold = Gate.enter(by: handle) { return hold }
      tries &-= 1
    }
    return nil
  }

  /// Whether the handle is of a gate where somebody is inside and nothing waits.
  private static func isJustBusy(_ handle: OpaquePointer?) -> Bool {
    guard let handle, let (slot, generation) = Handles.locate(handle) else { return false }
    let word = slot.word.pointee.load(ordering: .relaxed)
    return Word.generation(word) == generation && word & Word.flags == Word.busy | Word.published
  }

  /// Inside the gate, of a value of any kind.
  @inline(never)
  static func deliverSound(_ hold: Gate.Hold, _ value: Value, _ way: Way) -> rac_status {
    deliver(hold, value, way)
  }

  /// Inside the gate.
  @inline(__always)
  private static func deliver(_ hold: Gate.Hold, _ value: Value, _ way: Way) -> rac_status {
    let kind = hold.gate.slot.kind.pointee
    switch way {
    case .subject:
      if _fastPath(kind == HandleKind.subject.number) { return deliverToSubject(hold, value) }
    case .subscriber:
      if _fastPath(kind == HandleKind.subscriber.number) {
        return deliverToSubscriber(hold, value)
      }
    case .property:
      if _fastPath(kind == HandleKind.property.number) { return deliverToProperty(hold, value) }
    }
    return deliverRarely(value, hold, way)
  }

  @inline(__always)
  private static func deliverToSubject(_ hold: Gate.Hold, _ value: Value) -> rac_status {
    let object = hold.gate.slot.object
    Unmanaged<Subject>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.core.send(value) }
    return leave(hold)
  }

  /// Out of the gate of a handle. The object is looked up again where it is needed, and not kept in
  /// a register meanwhile.
  static func leave(_ hold: Gate.Hold) -> rac_status {
    hold.leaveAtOnce() ? Status.ok : leaveSlowly(hold.gate)
  }

  @inline(never)
  private static func leaveSlowly(_ gate: Gate) -> rac_status {
    // In a child that was forked by the callback, and is to begin anew, the slots are empty.
    guard gate.slot.isFilled else {
      currentThread().surface()
      return Status.ok
    }
    return gate.leave(core(of: gate.slot))
  }

  @inline(__always)
  private static func deliverToProperty(_ hold: Gate.Hold, _ value: Value) -> rac_status {
    let object = hold.gate.slot.object
    let isSet = Unmanaged<Property>.fromOpaque(object)._withUnsafeGuaranteedRef {
      $0.setPlainly(value, hold.thread)
    }
    return isSet ? leave(hold) : setSpecially(hold, value)
  }

  /// A set that is more than a scalar and its subscribers. Mostly others are derived from the
  /// property, and that is all.
  @inline(never)
  private static func setSpecially(_ hold: Gate.Hold, _ value: Value) -> rac_status {
    let object = hold.gate.slot.object
    let core = Unmanaged<Property>.fromOpaque(object)._withUnsafeGuaranteedRef {
      Unmanaged.passUnretained($0.core)
    }
    return core._withUnsafeGuaranteedRef {
      $0.traits == .feeding && hold.thread.pointee.unfinished == nil
        ? unsafeDowncast($0, to: MutablePropertyCore.self).changeAndFeed(value, hold)
        : setRarely(hold, value)
    }
  }

  @inline(never)
  private static func setRarely(_ hold: Gate.Hold, _ value: Value) -> rac_status {
    let property = Unmanaged<Property>.fromOpaque(hold.gate.slot.object)
    let core = property._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.core) }
    if core._withUnsafeGuaranteedRef({ $0.isReadOnly }) { return refuseReadOnly(hold) }
    let status = core._withUnsafeGuaranteedRef {
      unsafeDowncast($0, to: MutablePropertyCore.self).setRarely(value, hold.thread) {
        property._withUnsafeGuaranteedRef { $0.setRecorded(value) }
      }
    }
    if status < 0 { return refuseSet(status, hold) }
    _ = leave(hold)
    return status
  }

  @inline(never)
  private static func refuseReadOnly(_ hold: Gate.Hold) -> rac_status {
    _ = leave(hold)
    return refuseReadOnly(Way.property.function)
  }

  @inline(never)
  private static func refuseSet(_ status: rac_status, _ hold: Gate.Hold) -> rac_status {
    _ = leave(hold)
    return refuseSet(status, Way.property.function)
  }

  @inline(never)
  static func refuseReadOnly(_ function: StaticString) -> rac_status {
    Failure.record(Status.kind, "the property is read-only", in: function)
  }

  @inline(never)
  private static func refuseSet(_ status: rac_status, _ function: StaticString) -> rac_status {
    Failure.record(status, "the property's set callback failed", in: function)
  }

  @inline(__always)
  private static func deliverToSubscriber(_ hold: Gate.Hold, _ value: Value) -> rac_status {
    let object = hold.gate.slot.object
    let leaf = Unmanaged<Subscriber>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.leaf }
    guard let leaf else { return deliverFar(value, hold) }
    leaf.function(leaf.context, value)
    return leave(hold)
  }

  private static func deliverFar(_ value: Value, _ hold: Gate.Hold) -> rac_status {
    let object = hold.gate.slot.object
    return Unmanaged<Subscriber>.fromOpaque(object)._withUnsafeGuaranteedRef {
      if !$0.isActive { return refuseEnded($0, hold, Way.subscriber.function) }
      $0.send(value)
      return hold.leave($0)
    }
  }

  @inline(never)
  private static func deliverRarely(_ value: Value, _ hold: Gate.Hold, _ way: Way) -> rac_status {
    let core = core(of: hold.gate.slot)
    let kind = hold.gate.slot.kind.pointee
    let isFit = way.kinds.includes(hold.gate.slot)
    if isFit && !core.isBounded {
      if rac_recording_is_on() {
        recordSend(.next, value, Unmanaged<Object>.fromOpaque(hold.gate.slot.object))
      }
      return deliverToSubject(hold, value)
    }
    hold.leave(core)
    // A bounded subject checks its bound before it enters the gate.
    return isFit
      ? nextBounded(core, value, way.function) : Border.refuse(kind, way.kinds, way.function)
  }

  /// An end. Quick for subscribers, whose whole life is often one call.
  static func end(
    _ handle: OpaquePointer?, _ kinds: HandleKind, _ operation: Operation, _ value: Value,
    _ function: StaticString = #function
  ) -> rac_status {
    if kinds.contains(.subscriber), let hold = Gate.enter(by: handle) {
      if hold.gate.slot.kind.pointee == HandleKind.subscriber.number {
        return Unmanaged<Subscriber>.fromOpaque(hold.gate.slot.object)._withUnsafeGuaranteedRef {
          if !$0.isActive { return refuseEnded($0, hold, function) }
          $0.end(operation, value)
          return hold.leave($0)
        }
      }
      hold.leave(core(of: hold.gate.slot))
    }
    return send(handle, kinds, operation, value, function)
  }

  /// Records a send of the program's. A subject that was made before the recording has no slow way
  /// in; what its subscribers hear is recorded all the same.
  @inline(never)
  static func recordSend(_ operation: Operation, _ value: Value, _ target: Unmanaged<Object>) {
    guard rac_recording_is_wanted(),
      let subject = target._withUnsafeGuaranteedRef({ $0 as? Subject })
    else { return }
    let node = subject.recordedNode()
    let thread = currentThread()
    if operation == .next { rac_node_count(node) }
    switch operation {
    case .next: value.record(UInt8(RAC_RECORDED_HOST_NEXT), node.number, thread)
    case .error: value.record(UInt8(RAC_RECORDED_HOST_ERROR), node.number, thread)
    default: rac_recording_event(thread, UInt8(RAC_RECORDED_HOST_COMPLETED), node.number, 0, 0)
    }
  }

  private static func core(of slot: Slot) -> Core {
    let object = slot.object
    if HandleKind.anySubscriber.includes(slot) {
      return Unmanaged<Subscriber>.fromOpaque(object).takeUnretainedValue()
    }
    if HandleKind.property.includes(slot) {
      return Unmanaged<Property>.fromOpaque(object).takeUnretainedValue().core
    }
    return Unmanaged<Subject>.fromOpaque(object).takeUnretainedValue().core
  }

  /// Any event, of a value that is known to be sound.
  @inline(never)
  static func send(
    _ handle: OpaquePointer?, _ kinds: HandleKind, _ operation: Operation, _ value: Value,
    _ function: StaticString
  ) -> rac_status {
    Border.check(handle, kinds, as: Object.self, function) {
      if let subject = $0 as? Subject {
        if rac_recording_is_on() { recordSend(operation, value, .passUnretained(subject)) }
        switch operation {
        case .next:
          if subject.core.isBounded { return nextBounded(subject.core, value, function) }
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
      let subscriber = unsafeDowncast($0, to: Subscriber.self)
      guard subscriber.isActive else { return refuseEnded(function) }
      if operation == .next && subscriber.isBounded {
        return nextBounded(subscriber, value, function)
      }
      return subscriber.submitRarely(operation, nil, value)
    }
  }

  @inline(never)
  private static func refuseEnded(
    _ subscriber: Subscriber, _ hold: Gate.Hold, _ function: StaticString
  ) -> rac_status {
    hold.leave(subscriber)
    return refuseEnded(function)
  }

  @inline(never)
  private static func refuseEnded(_ function: StaticString) -> rac_status {
    Failure.record(Status.done, "the subscription has ended or was disposed", in: function)
  }
}
