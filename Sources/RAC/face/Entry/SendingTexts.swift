/// Texts. One function brings one to the only callback of a subject or a subscriber: it looks at
/// the bytes, enters the gate, and keeps a place on its stack for a callback that asks for a NUL.
/// Rare cases are calls out of it.
extension Sending {
  /// Without a NUL behind it, perhaps.
  @inline(never)
  static func nextLent(_ handle: OpaquePointer?, _ value: Value, _ way: Way) -> rac_status {
    guard UTF8Check.isPlain(value.lent), let hold = Gate.enter(by: handle) else {
      return nextLentLong(handle, value, way)
    }
    return LentText.lend(value, by: hold.thread) { deliverText(hold, value, way) }
  }

  @inline(never)
  private static func nextLentLong(_ handle: OpaquePointer?, _ value: Value, _ way: Way)
    -> rac_status
  {
    guard value.bits != 0, UTF8Check.isValid(value.lent), let hold = Gate.enter(by: handle) else {
      return nextChecked(handle, value, way)
    }
    return LentText.lend(value, by: hold.thread) { deliverText(hold, value, way) }
  }

  /// With a NUL behind it: somebody's, one that stays, or a copy.
  @inline(never)
  static func nextTerminated(_ handle: OpaquePointer?, _ value: Value, _ way: Way) -> rac_status {
    // The others were checked when they were made.
    guard
      value.flags & (Value.Flag.counted | Value.Flag.checked) != 0
        && value.flags & Value.Flag.unterminated == 0 && value.bits != 0
        || value.flags == Value.Flag.view && UTF8Check.isPlain(value.lent),
      let hold = Gate.enter(by: handle)
    else {
      return nextTerminatedLong(handle, value, way)
    }
    return deliverText(hold, value, way)
  }

  @inline(never)
  private static func nextTerminatedLong(_ handle: OpaquePointer?, _ value: Value, _ way: Way)
    -> rac_status
  {
    guard value.flags == Value.Flag.view, value.bits != 0, UTF8Check.isValid(value.lent),
      let hold = Gate.enter(by: handle)
    else {
      return nextChecked(handle, value, way)
    }
    return deliverText(hold, value, way)
  }

  @inline(__always)
  private static func deliverText(_ hold: Gate.Hold, _ value: Value, _ way: Way) -> rac_status {
    guard let leaf = onlyLeaf(hold.gate.slot, way) else { return deliverSound(hold, value, way) }
    leaf.function(leaf.context, value)
    return leave(hold)
  }

  /// The only callback behind a gate, if it hears what is sent this way at once.
  @inline(__always)
  private static func onlyLeaf(_ slot: Slot, _ way: Way) -> Leaf? {
    let kind = slot.kind.pointee
    if way == .subject && kind == HandleKind.subject.number {
      return Unmanaged<Subject>.fromOpaque(slot.object)._withUnsafeGuaranteedRef {
        $0.core.subscribers.sole
      }
    }
    if way == .subscriber && kind == HandleKind.subscriber.number {
      return Unmanaged<Subscriber>.fromOpaque(slot.object)._withUnsafeGuaranteedRef { $0.leaf }
    }
    return nil
  }
}
