import CRACShims

/// Subscribing to a subject through its handle: what most subscriptions are.
enum Joining {
  /// The handle of the subscription; nil: nothing has happened, look closer. There is memory for what a
  /// subscription is made of.
  ///
  /// Looking the subject up and entering its gate are one step, as in sending. Inside, where nobody is called,
  /// the subscription is made; nobody knows of it before the gate is left.
  @inline(__always)
  static func join(_ handle: OpaquePointer?, _ observer: rac_observer) -> OpaquePointer? {
    guard let hold = Gate.enter(by: handle) else { return nil }
    guard hold.gate.slot.kind.pointee == HandleKind.subject.number,
      !Diagnostics.shared.isTracing, hold.thread.pointee.subscribing < Stack.few
    else { return none(hold) }
    let subject = Unmanaged<Subject>.fromOpaque(hold.gate.slot.object)
    let core = subject._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.core) }
    guard core._withUnsafeGuaranteedRef({ $0.canJoinFirst() }) else { return none(hold) }
    let sink = Unmanaged.passRetained(CallbackSink.make(observer))
    let scope = sink._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.scope) }
    // The handle's own: the sink may be gone as soon as the gate is left.
    scope.keepNew()
    core._withUnsafeGuaranteedRef { $0.joinFirst(sink) }
    let place = Slots.allocate()
    _ = Sending.leave(hold)
    return Handles.makeHere(owned: .fromOpaque(scope.toOpaque()), .plainDisposable, in: place)
  }

  @inline(never)
  private static func none(_ hold: Gate.Hold) -> OpaquePointer? {
    _ = Sending.leave(hold)
    return nil
  }
}
