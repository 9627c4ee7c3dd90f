import CRACShims

/// Sending to what has a bound: the sender may have to wait, or be told that there is no room,
/// before it comes to the gate.
extension Sending {
  /// A value that is known to be sound.
  @inline(never)
  static func nextBounded(_ core: Core, _ value: Value, _ function: StaticString) -> rac_status {
    let line = line(of: core)
    if !line.bound.holdsSendersBack {
      return told(give(value, core, line, isForced: false), function)
    }
    while true {
      let admitted = line.admit(1)
      if admitted < 0 { return refuse(admitted, function) }
      let status = give(value, core, line, isForced: false)
      line.arrive(1)
      // Others were quicker at the gate.
      if status != Status.again { return told(status, function) }
    }
  }

  /// A modification: what it answers, or why there is no room for it.
  static func modify(
    _ property: Property, _ context: Context, _ transform: @escaping rac_map_fn,
    _ function: StaticString = #function
  ) -> rac_status {
    while true {
      let line = property.entry
      let admitted = line?.admit(1) ?? Status.ok
      if admitted < 0 { return refuse(admitted, function) }
      let status = property.modify(context, transform)
      line?.arrive(1)
      guard let status else { continue }
      if status >= 0 { return status }
      if property.core.isReadOnly { return refuseReadOnly(function) }
      return Failure.record(status, "the value was not changed", in: function)
    }
  }

  /// So many, each of which `take` calls with: one after another where each may wait, all or none
  /// where it may not.
  @inline(never)
  static func sendManyBounded(
    _ count: Int, _ core: Core, _ function: StaticString,
    _ take: (Int, (Value) -> Void) -> rac_status
  ) -> rac_status {
    let line = line(of: core)
    let bound = line.bound
    let isWhole =
      bound.policy == .refuse || bound.policy == .wait && currentThread().isAwaited
    if isWhole {
      let admitted = line.admit(count)
      if admitted < 0 { return refuse(admitted, function) }
    }
    var answer = Status.ok
    var index = 0
    while index < count && answer >= 0 {
      var status = Status.ok
      let taken = take(index) {
        status =
          isWhole
          ? told(give($0, core, line, isForced: true), function) : nextBounded(core, $0, function)
      }
      answer = taken < 0 ? taken : status < 0 ? status : max(answer, status)
      index &+= 1
    }
    if isWhole { line.arrive(count) }
    return answer
  }

  private static func line(of core: Core) -> BoundedLine {
    if let subject = core as? BoundedSubjectCore { return subject.line }
    return unsafeDowncast(core, to: BoundedSubscriber.self).line
  }

  /// Delivers it, or leaves it in the line. RAC_EAGAIN: there was no place, and the policy is not
  /// to drop.
  @inline(never)
  private static func give(_ value: Value, _ core: Core, _ line: BoundedLine, isForced: Bool)
    -> rac_status
  {
    if let subscriber = core as? BoundedSubscriber, !subscriber.isActive { return Status.done }
    if let hold = core.gate.enter() {
      if core.isCramped {
        _ = core.gate.post(core, .next, nil, value)
      } else {
        core.apply(.next, nil, value)
      }
      return hold.leave(core)
    }
    switch line.offer(value, isForced: isForced) {
    case .kept: return core.gate.post(core, .fire, nil, .null) ? Status.queued : Status.ok
    case .replaced: return Status.queued
    case .dropped: return Status.dropped
    case .full: return Status.again
    case .overflow:
      let error = Value.overflow
      _ = core.gate.post(core, .error, nil, error)
      error.release()
      return Status.dropped
    }
  }

  private static func told(_ status: rac_status, _ function: StaticString) -> rac_status {
    if status != Status.done { return status }
    return Failure.record(Status.done, "the subscription has ended or was disposed", in: function)
  }

  private static func refuse(_ status: rac_status, _ function: StaticString) -> rac_status {
    let message: StaticString
    switch status {
    case Status.again: message = "what holds values back has no room for more"
    case Status.deadlock: message = "waiting for room inside a callback would wait for itself"
    case Status.closed: return Border.refuseOver(function)
    case Status.timedOut: message = "there was no room in the time that the bound gives"
    default: message = "the array is longer than the bound's capacity"
    }
    return Failure.record(status, message, in: function)
  }
}
