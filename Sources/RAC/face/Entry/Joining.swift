import CRACShims

/// Subscribing to a subject through its handle, and leaving it: the most common subscription.
enum Joining {
  /// The handle of the subscription; nil: nothing has happened, look closer. There is memory for
  /// what a subscription is made of.
  ///
  /// Looking the subject up and entering its gate are one step, as in sending. Inside, where nobody
  /// is called, the subscription is made; nobody knows of it before the gate is left.
  @inline(__always)
  static func join(_ handle: OpaquePointer?, _ observer: rac_observer) -> OpaquePointer? {
    guard let hold = Gate.enter(by: handle) else { return nil }
    guard hold.gate.slot.kind.pointee == HandleKind.subject.number,
      hold.thread.pointee.subscribing < Stack.few
    else { return none(hold) }
    let subject = Unmanaged<Subject>.fromOpaque(hold.gate.slot.object)
    if subject._withUnsafeGuaranteedRef({ $0.isWatched(observer) }) { return none(hold) }
    let core = subject._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.core) }
    guard core._withUnsafeGuaranteedRef({ $0.canJoinFirst }) else { return none(hold) }
    let made = core._withUnsafeGuaranteedRef {
      let made = Unmanaged.passRetained(DirectSubscription.make(observer, core))
      // One for the list, which may let it go as soon as the gate is left, and one for the handle.
      made.keepNew()
      $0.joinFirst(made)
      return made
    }
    _ = Sending.leave(hold)
    return Handles.makeHere(
      owned: .fromOpaque(made.toOpaque()), .subscription, in: Slots.allocate())
  }

  /// Ends such a subscription and gives back its only handle: that one's reference is then this
  /// thread's. False: nothing has happened, look closer.
  @inline(__always)
  static func leave(_ handle: OpaquePointer) -> Bool {
    guard !Stack.isShort, let object = Handles.redeem(handle, .subscription) else { return false }
    DirectSubscription.end(.fromOpaque(object.toOpaque()))
    return true
  }

  /// The same for a signal that has a shorter way for callbacks. Its slot is kept.
  @inline(__always)
  static func begin(_ signal: Slot, _ observer: rac_observer) -> OpaquePointer? {
    let source = Unmanaged<Signal>.fromOpaque(signal.object)
    guard source._withUnsafeGuaranteedRef({ $0.beginsDirectly && !$0.isWatched(observer) })
    else { return nil }
    let thread = currentThread()
    guard thread.pointee.subscribing < Stack.few else { return nil }
    return Unmanaged<CreatedSignal>.fromOpaque(signal.object)._withUnsafeGuaranteedRef {
      $0.begin(observer, thread)
    }
  }

  @inline(never)
  private static func none(_ hold: Gate.Hold) -> OpaquePointer? {
    _ = Sending.leave(hold)
    return nil
  }
}
